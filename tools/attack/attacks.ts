/** All attacks, in the order of a run: those that affect others most come last. */
import type { Attack } from "./attack";
import { anonymousBodiesAttack, sessionBodiesAttack } from "./attacks/anonymous-bodies";
import {
  passwordsFlood,
  quotesFlood,
  readsFlood,
  signUpsFlood,
  unknownKeysFlood,
  writesFlood,
} from "./attacks/floods";
import { fuzzApi } from "./attacks/fuzz-api";
import { fuzzOperator, fuzzPages } from "./attacks/fuzz-pages";
import {
  pipelineChat,
  pipelineMixed,
  pipelineSignIn,
  pipelineSlowChat,
  retriesOfOneKey,
} from "./attacks/pipelining";
import { publicPages } from "./attacks/public-pages";
import { rawHttp } from "./attacks/raw-http";
import { rebinding } from "./attacks/rebinding";
import { shopAttacks } from "./attacks/shop";
import { sippedStreams, slowReaders } from "./attacks/slow-readers";
import {
  connectionsAttack,
  slowBodiesAttack,
  slowHeadsAttack,
  slowPagesAttack,
} from "./attacks/slow-senders";
import { unpaidWork } from "./attacks/unpaid-work";
import { chunkedBodiesAttack, worstBodiesAttack } from "./attacks/worst-bodies";

export const attacks: readonly Attack[] = [
  rawHttp,
  worstBodiesAttack,
  chunkedBodiesAttack,
  anonymousBodiesAttack,
  sessionBodiesAttack,
  slowBodiesAttack,
  slowPagesAttack,
  slowHeadsAttack,
  connectionsAttack,
  slowReaders,
  sippedStreams,
  rebinding,
  pipelineChat,
  pipelineSlowChat,
  pipelineSignIn,
  pipelineMixed,
  retriesOfOneKey,
  quotesFlood,
  ...unpaidWork,
  ...publicPages,
  ...shopAttacks,
  unknownKeysFlood,
  readsFlood,
  writesFlood,
  signUpsFlood,
  passwordsFlood,
  fuzzApi,
  fuzzPages,
  fuzzOperator,
];
