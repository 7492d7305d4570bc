/** The relay's endpoints: each row of the endpoint table joined to its use case. */
import type pg from "pg";
import { apiDocumentText } from "../contract/api-document";
import { type EndpointName, type Endpoints, endpoints } from "../contract/endpoints";
import { RelayError } from "../errors";
import type { Route } from "../http/route-table";
import {
  type Call,
  jsonAnswer,
  jsonTextAnswer,
  type ServeParts,
  serve,
  type UseCase,
} from "../http/serve";
import { createGetMedia, type GetMediaParts } from "../media/get-media";
import { createChat } from "./chat/chat";
import type { ChatParts } from "./chat/text-operation";
import type { ImageParts } from "./image/image-operation";
import { createImages } from "./image/images";
import { createGetModel, createListModels } from "./models";
import { createGetBalance, createGetKey, createGetUsage } from "./own-account";
import { createQuote, quotersOf } from "./quote";
import type { VideoParts } from "./video/video-parts";
import {
  createDeleteVideoTask,
  createGetVideoTask,
  createListVideoTasks,
} from "./video/video-tasks";
import { createVideoCall, createVideoTask } from "./video/videos";

export interface RelayParts extends ServeParts, ChatParts, ImageParts, GetMediaParts {
  readonly pool: pg.Pool;
  /** The secret with which an account's receivers verify the signatures of callbacks. */
  callbackSecretOf(accountId: string): string;
  readonly video: VideoParts;
  /** Resolves when the database answers. */
  checkDatabase(): Promise<void>;
}

const answerApiDocument = (call: Pick<Call, "headers">) => jsonTextAnswer(call, apiDocumentText());

/** The compiler checks that each use case belongs to the row of its name. */
type UseCases = { readonly [Name in EndpointName]: UseCase<Endpoints[Name]> };

export function relayRoutes(parts: RelayParts): Route[] {
  const { running, priceBook } = parts;
  const useCases: UseCases = {
    createChatCompletion: createChat(parts),
    createImage: createImages(parts),
    getMedia: createGetMedia(parts),
    createVideo: createVideoCall(parts.video),
    createVideoTask: createVideoTask(parts.video),
    listVideoTasks: createListVideoTasks(parts.video),
    getVideoTask: createGetVideoTask(parts.video),
    deleteVideoTask: createDeleteVideoTask(parts.video),
    listModels: createListModels(priceBook),
    getModel: createGetModel(priceBook),
    createQuote: createQuote(quotersOf(priceBook, parts.chooser)),
    getBalance: createGetBalance(parts.ledger),
    getUsage: createGetUsage(parts.pool),
    getKey: createGetKey(parts.pool, parts.callbackSecretOf),
    getApiDocument: answerApiDocument,
    getApiDocumentUnderV1: answerApiDocument,
    getHealth: (call) => jsonAnswer(call, { status: "ok" }),
    getReadiness: async (call) => {
      if (running.isDraining) throw new RelayError("service_draining");
      await parts.checkDatabase().catch((cause: unknown) => {
        throw new RelayError("database_unavailable", { cause });
      });
      return jsonAnswer(call, { status: "ready" });
    },
  };
  const routeOf = <Name extends EndpointName>(name: Name): Route => {
    const row = endpoints[name];
    return { row, endpoint: serve<Endpoints[Name]>(row, parts, useCases[name]) };
  };
  return Object.values(endpoints).map(({ name }) => routeOf(name));
}
