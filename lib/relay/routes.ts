/** The relay's endpoints: each row of the endpoint table joined to its use case. */
import type pg from "pg";
import { apiDocumentText } from "../contract/api-document";
import { type EndpointName, type Endpoints, endpoints } from "../contract/endpoints";
import type { managedKeyEndpoints } from "../contract/managed-key-endpoints";
import type { managedMemberEndpoints } from "../contract/managed-member-endpoints";
import type { HistoryReaders } from "../db/history-readers";
import { messagesDialect } from "../dialects/messages/messages-dialect";
import { RelayError } from "../failures/relay-error";
import { documentAnswer } from "../http/document-answer";
import type { Edge } from "../http/edge";
import type { Incoming } from "../http/exchange";
import type { Route } from "../http/route-table";
import { jsonAnswer, type ServeDeps, serve, type UseCase } from "../http/serve";
import { createGetMedia, type GetMediaDeps } from "../media/get-media";
import type { StoredResponses } from "../stored-responses/stored-responses";
import { keysOf } from "../values/records";
import { chatForm } from "./chat/chat-form";
import { dialectForm } from "./chat/dialect-form";
import { compactForm, responsesForm } from "./chat/responses-form";
import { createText } from "./chat/text";
import type { ChatDeps } from "./chat/text-operation";
import { createCountTokens } from "./count-tokens";
import type { ImageDeps } from "./image/image-operation";
import { createDeleteImage, createGetImage, createListImages } from "./image/image-reads";
import { createImages } from "./image/images";
import { messagesEdge, sharedEdge } from "./messages-edge";
import { createGetModel, createListModels } from "./models";
import { createGetBalance, createGetKey } from "./own-account";
import { createGetUsage } from "./own-usage";
import { createQuote, quotersOf } from "./quote";
import {
  createCancelResponse,
  createDeleteResponse,
  createGetResponse,
  createListInputItems,
} from "./stored-responses";
import { createStreamVideoTask } from "./video/task-stream";
import { createGetVideoContent } from "./video/video-content";
import type { VideoDeps } from "./video/video-deps";
import {
  createDeleteVideoJob,
  createGetVideoJob,
  createListVideoJobs,
  createVideoJob,
} from "./video/video-jobs";
import {
  createDeleteVideoTask,
  createGetVideoTask,
  createListVideoTasks,
} from "./video/video-tasks";
import { createVideoCall, createVideoTask } from "./video/videos";

/** Those of management keys do what the pages do, and stand beside their API. */
type RelayName = Exclude<
  EndpointName,
  keyof typeof managedKeyEndpoints | keyof typeof managedMemberEndpoints
>;

export interface RelayDeps extends ServeDeps, ChatDeps, ImageDeps, GetMediaDeps {
  readonly pool: pg.Pool;
  /** For reads that grow with an account's history. */
  readonly historyReaders: Pick<HistoryReaders, "of">;
  /** The secret with which an account's receivers verify the signatures of callbacks. */
  callbackSecretOf(apiKeyId: string): string;
  readonly video: VideoDeps;
  readonly storedResponses: StoredResponses;
  /** Resolves when the database answers. */
  checkDatabase(): Promise<void>;
}

const answerApiDocument = documentAnswer(apiDocumentText);

/** The compiler checks that each use case belongs to the row of its name. */
type UseCases = { readonly [Name in RelayName]: UseCase<Endpoints[Name]> };

/** The edges of the endpoints that are not, or not always, called in our own way. */
const edges: { readonly [Name in EndpointName]?: (incoming: Incoming) => Edge } = {
  createMessage: () => messagesEdge,
  countMessageTokens: () => messagesEdge,
  listModels: sharedEdge,
  getModel: sharedEdge,
};

export function relayRoutes(deps: RelayDeps): Route[] {
  const { running, priceBook } = deps;
  const useCases: UseCases = {
    createChatCompletion: createText(deps, chatForm),
    createMessage: createText(deps, dialectForm(messagesDialect)),
    countMessageTokens: createCountTokens(priceBook),
    createResponse: createText(deps, responsesForm(deps.storedResponses, deps.bodyMemory)),
    compactResponse: createText(deps, compactForm(deps.storedResponses, deps.bodyMemory)),
    getResponse: createGetResponse(deps.storedResponses),
    deleteResponse: createDeleteResponse(deps.storedResponses),
    cancelResponse: createCancelResponse(deps.storedResponses),
    listInputItems: createListInputItems(deps.storedResponses),
    createImage: createImages(deps, deps.video),
    createImageEdit: createImages(deps, deps.video),
    listImages: createListImages(deps),
    getImage: createGetImage(deps),
    deleteImage: createDeleteImage(deps, deps.video),
    getMedia: createGetMedia(deps),
    createVideo: createVideoCall(deps.video),
    createVideoTask: createVideoTask(deps.video),
    listVideoTasks: createListVideoTasks(deps.video),
    getVideoTask: createGetVideoTask(deps.video),
    streamVideoTask: createStreamVideoTask(deps.video),
    deleteVideoTask: createDeleteVideoTask(deps.video),
    createVideoJob: createVideoJob(deps.video),
    listVideoJobs: createListVideoJobs(deps.video),
    getVideoJob: createGetVideoJob(deps.video),
    deleteVideoJob: createDeleteVideoJob(deps.video),
    getVideoContent: createGetVideoContent(deps.video, deps.media),
    listModels: createListModels(priceBook),
    getModel: createGetModel(priceBook),
    createQuote: createQuote(quotersOf(deps.video, deps.chooser, deps.storedResponses)),
    getBalance: createGetBalance(deps.ledger),
    getUsage: createGetUsage(deps.historyReaders),
    getKey: createGetKey(deps.pool, deps.callbackSecretOf),
    getApiDocument: answerApiDocument,
    getApiDocumentUnderV1: answerApiDocument,
    getHealth: (call) => jsonAnswer(call, { status: "ok" }),
    getReadiness: async (call) => {
      if (running.isDraining) throw new RelayError("service_draining");
      await deps.checkDatabase().catch((cause: unknown) => {
        throw new RelayError("database_unavailable", { cause });
      });
      return jsonAnswer(call, { status: "ready" });
    },
  };
  const routeOf = <Name extends RelayName>(name: Name): Route => {
    const row = endpoints[name];
    return { row, endpoint: serve<Endpoints[Name]>(row, deps, useCases[name], edges[name]) };
  };
  return keysOf(useCases).map(routeOf);
}
