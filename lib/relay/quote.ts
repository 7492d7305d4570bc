/**
 * `POST /v1/quote`: what a request would hold and cost, computed by the functions that price the
 * request itself.
 */
import type { Principal } from "../accounts/principal";
import type { ChatRequest } from "../contract/chat";
import { type EndpointName, type Endpoints, endpoints } from "../contract/endpoints";
import type { ImageRequest } from "../contract/image";
import type { Family } from "../contract/states";
import { servedTier } from "../contract/text-tiers";
import { messagesDialect } from "../dialects/messages/messages-dialect";
import { compactionOf } from "../dialects/responses/compaction";
import { readChat } from "../dialects/responses/in-chat";
import { responsesDialect } from "../dialects/responses/responses-dialect";
import type { CanonicalRequest } from "../dialects/text-dialect";
import { invalidValue } from "../failures/relay-error";
import { jsonAnswer, type UseCase } from "../http/serve";
import { type Micropoints, pointsNumber } from "../money/points";
import type { PriceBook, PriceVersion } from "../price-book/price-version";
import type { Choosing } from "../price-book/virtual-choice";
import { MULTIPLIER_PPM_ONE, priceOf, type TokenUsage } from "../pricing/price";
import { linesOf } from "../pricing/price-lines";
import { TYPICAL_TEXT_TOKENS } from "../pricing/typical";
import type { StoredResponses } from "../stored-responses/stored-responses";
import type { Chooser } from "../upstream/choose";
import { ModelTurns } from "./chat/fallbacks";
import { assertPictures } from "./chat/model-limits";
import { inOwnNames } from "./chat/own-names";
import { storedAs } from "./chat/responses-form";
import { orderedOf } from "./chat/text-bounds";
import { orderText, type TextOrder, type TextTerms, termsAt } from "./chat/text-order";
import { orderImage, refuseModel as refuseImageModel } from "./image/image-order";
import { assertAnswerable } from "./image/image-task";
import { type Ordering, placeAll } from "./order/chosen-model";
import { type Asking, assertSelfContained, checked, type Sent, signable } from "./quote-refusals";
import { type SourceDeps, sourceOf } from "./video/draft-source";
import { type MeasureDeps, measuredOrder } from "./video/measured-order";
import { requestedVideoOfJob } from "./video/requested-job";
import type { RequestedVideo } from "./video/requested-order";
import { requestedVideoOfCall, requestedVideoOfTask } from "./video/requested-video";
import {
  orderVideo,
  refuseModel as refuseVideoModel,
  type VideoPurchase,
} from "./video/video-order";
import { audioOf, deliveredOf } from "./video/video-view";

/** A priced order, as a quote shows it. */
interface Quoted {
  readonly family: Family;
  readonly holdAmount: Micropoints;
  readonly usage: TokenUsage;
  readonly price: PriceVersion;
  readonly multiplierPpm: number;
  readonly normalized: Record<string, unknown>;
}
/** Prices a body as its endpoint would, without a hold. */
type Quoter<Body> = Asking<Body, Quoted | Promise<Quoted>>;

/** The endpoints whose requests can be quoted. */
type GenerationRow = Extract<Endpoints[EndpointName], { billing: "generation" }>;
type Quoters = Readonly<Record<GenerationRow["name"], Quoter<unknown>>>;

const BYTES_PER_TOKEN = 4;

type Quotable = Pick<CanonicalRequest, "body" | "native" | "assertOffered" | "fieldNames">;
type Offers = Pick<Chooser, "offered" | "keepsBound" | "isResting">;

/** The terms at the channel that needs the largest hold. */
function dearest(
  order: TextOrder,
  { native: openNative }: Quotable,
  chooser: Offers,
  images: Sent["images"],
): TextTerms {
  const terms = chooser.offered(order.model.id).map((channel) => {
    const native = openNative?.(order.sold, channel.protocol) ?? null;
    const keepsBound = chooser.keepsBound(channel.id);
    return termsAt(order, channel, { keepsBound, native, images });
  });
  return terms.reduce<TextTerms>(
    (most, one) => (one.holdAmount > most.holdAmount ? one : most),
    order,
  );
}

function chatQuoter(priceBook: PriceBook, chooser: Offers): Quoter<Quotable> {
  const quoteOne = (
    request: ChatRequest,
    quotable: Quotable,
    principal: Principal,
    sent: Sent,
  ): Quoted => {
    const order = orderText(request, principal, priceBook, sent.images);
    quotable.assertOffered?.(order.sold);
    const { model, price, multiplierPpm, capTokens, time } = order;
    const { inputTokensMax, outputTokensMax, holdAmount, asks } = dearest(
      order,
      quotable,
      chooser,
      sent.images,
    );
    const tier = servedTier(asks.tier);
    const usage = {
      inputTokens: Math.min(
        inputTokensMax,
        Math.ceil(JSON.stringify(request.messages).length / BYTES_PER_TOKEN),
      ),
      outputTokens: Math.min(outputTokensMax, TYPICAL_TEXT_TOKENS * asks.answers),
      // At the tier that was asked for, without calls of tools.
      ...orderedOf(asks, price.price, time),
    };
    const normalized = {
      ...{ model: model.id, max_tokens: capTokens, stream: request.stream === true },
      ...(asks.answers > 1 && { n: asks.answers }),
      ...(tier !== "default" && { service_tier: tier }),
    };
    return { family: "text", holdAmount, usage, price, multiplierPpm, normalized };
  };
  return (quotable, principal, sent) => {
    const { body } = quotable;
    const turns = new ModelTurns(body, principal, { priceBook, chooser });
    const quotes = inOwnNames(quotable, () =>
      turns.all((request) => quoteOne(request, quotable, principal, sent)),
    );
    assertPictures(body, sent);
    return quotes.reduce((most, one) => (one.holdAmount > most.holdAmount ? one : most));
  };
}

/** Of a virtual model: that of those it may choose which holds most. */
function dearestOf<
  Request extends { readonly model: string },
  Placed extends Pick<Quoted, "holdAmount">,
>(ordering: Ordering<Request>, place: (request: Request) => Placed): Placed {
  const placed = placeAll(ordering, place);
  return placed.reduce((most, one) => (one.holdAmount > most.holdAmount ? one : most));
}

function imageQuoter(choosing: Choosing): Quoter<ImageRequest> {
  return (request, principal, incoming) => {
    assertAnswerable({ body: request, incoming });
    const order = dearestOf(
      { family: "image", request, principal, choosing, refuse: refuseImageModel },
      (one) => orderImage(one, principal, choosing.priceBook),
    );
    const { model, width, height, quality, usage, price, multiplierPpm, holdAmount } = order;
    const size = order.sizeName ?? `${width}x${height}`;
    const n = order.count;
    const normalized = { model: model.id, size, ...(quality !== null && { quality }), n };
    return { family: "image", holdAmount, usage, price, multiplierPpm, normalized };
  };
}

function quotedVideo(order: VideoPurchase): Quoted {
  const { model, spec, quoteUsage: usage, price, multiplierPpm, holdAmount } = order;
  const { watermark, settings } = spec;
  const ordered = { spec, facts: null };
  const normalized = {
    ...{ model: model.id, ...deliveredOf(ordered), ...audioOf(ordered), watermark },
    ...settings,
  };
  return { family: "video", holdAmount, usage, price, multiplierPpm, normalized };
}

type VideoQuoting = MeasureDeps & SourceDeps;

/** Prices a video in one of the forms in which `read` finds an order. */
function videoQuoter<Body>(
  deps: VideoQuoting,
  chooser: Offers,
  read: (body: Body) => RequestedVideo,
): Quoter<Body> {
  const choosing = { priceBook: deps.priceBook, chooser };
  return async (body, principal) => {
    const request = read(body);
    const bounded = dearestOf(
      { family: "video", request, principal, choosing, refuse: refuseVideoModel },
      (one) => orderVideo(one, principal, deps.priceBook),
    );
    const order = await measuredOrder(deps, bounded, request);
    await sourceOf(deps, principal, order);
    return quotedVideo(order);
  };
}

/** The functions that price a request, by the name of its endpoint. */
export function quotersOf(
  measuring: VideoQuoting,
  chooser: Offers,
  stored: Pick<StoredResponses, "isOn">,
): Quoters {
  const { priceBook } = measuring;
  const quoteChat = chatQuoter(priceBook, chooser);
  const quoteImage = signable(imageQuoter({ priceBook, chooser }));
  return {
    createChatCompletion: checked(endpoints.createChatCompletion, (body, ...asked) =>
      quoteChat(readChat(body), ...asked),
    ),
    createMessage: checked(endpoints.createMessage, (body, ...asked) =>
      quoteChat(messagesDialect.toChat(body), ...asked),
    ),
    createResponse: checked(endpoints.createResponse, (body, ...asked) => {
      const sent = storedAs(stored, body);
      assertSelfContained(sent);
      return quoteChat(responsesDialect.toChat(sent), ...asked);
    }),
    compactResponse: checked(endpoints.compactResponse, (body, ...asked) => {
      const request = compactionOf(body);
      assertSelfContained(request);
      return quoteChat(responsesDialect.toChat(request), ...asked);
    }),
    createImage: checked(endpoints.createImage, quoteImage),
    createImageEdit: checked(endpoints.createImageEdit, quoteImage),
    createVideo: checked(
      endpoints.createVideo,
      videoQuoter(measuring, chooser, requestedVideoOfCall),
    ),
    createVideoTask: checked(
      endpoints.createVideoTask,
      signable(videoQuoter(measuring, chooser, requestedVideoOfTask)),
    ),
    createVideoJob: checked(
      endpoints.createVideoJob,
      signable(videoQuoter(measuring, chooser, requestedVideoOfJob)),
    ),
  };
}

function rowNamed(name: string): GenerationRow {
  const sold = Object.values(endpoints).filter((row) => row.billing === "generation");
  const row = sold.find((candidate) => candidate.name === name || candidate.path === name);
  if (row) return row;
  const names = sold.map((candidate) => candidate.name).join(", ");
  const message = `\`endpoint\` is ${JSON.stringify(name)}: it must be one of ${names}, or the path of one.`;
  throw invalidValue("endpoint", message);
}

/**
 * Throws what the endpoint itself would throw for the body and its headers. What the account, its
 * channels and the store have left is not checked.
 */
export function createQuote(quoters: Quoters): UseCase<Endpoints["createQuote"]> {
  return async (call) => {
    const { endpoint, ...body } = call.body;
    const { name } = rowNamed(endpoint);
    const { rawBody, incoming } = call;
    const sent: Sent = {
      images: rawBody.images,
      countAsText: (...counted) => rawBody.countAsText(...counted),
      header: (wanted) => incoming.header(wanted),
    };
    const quoted = await quoters[name](body, call.principal, sent);
    const { family, holdAmount, usage, price, multiplierPpm, normalized } = quoted;
    return jsonAnswer(call, {
      hold_points: pointsNumber(holdAmount),
      estimate_points: pointsNumber(priceOf(usage, price.price, multiplierPpm)),
      tokens: { input: usage.inputTokens, output: usage.outputTokens },
      price: {
        input: usage.inputTokens > 0 ? pointsNumber(price.price.input) : null,
        output: pointsNumber(price.price.output),
      },
      lines: linesOf(family, usage, price.price).map(({ amount, ...line }) => ({
        ...line,
        points: pointsNumber(amount),
      })),
      multiplier: multiplierPpm / MULTIPLIER_PPM_ONE,
      normalized,
    });
  };
}
