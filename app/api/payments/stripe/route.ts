import { receiveStripeEvent } from "@/lib/session";

export const POST = receiveStripeEvent;
