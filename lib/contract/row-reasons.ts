/** Why no key, or no command, does what a row of the pages does. A row names its reason. */

export const noKeyReasons = {
  makesKeys: "A key that makes or revokes keys of its kind could outlive its own revocation.",
  person: "It is about a person, not about the account: only that person does it.",
  owner: "Only the owner hands an account over or closes it, with a fresh proof.",
  sessions: "Sessions belong to people: a person ends them on the page.",
  proof: "It proves who a person is, in a browser and for a session.",
  card: "A person enters a card, and agrees to its charges, with a fresh proof.",
  buyer: "A person pays, on the page of the payment provider.",
  live: "The page asks for it again and again while it is shown; the lists have the same.",
  stranger: "Whoever has no account yet, or no session, has no key either.",
  signUp: "An operator's key makes accounts at POST /v1/admin/accounts.",
} as const;
export type NoKeyReason = keyof typeof noKeyReasons;

export const noCommandReasons = {
  browser: "It begins or proves a session of a browser; the command line has none.",
  device: "A device of the person answers; `account second-factor --reset` removes it.",
  card: "The person enters the card, on the page of the payment provider.",
  buyer: "The buyer pays on the page of the payment provider, and returns to ours.",
  invitee: "The invited person accepts, signed in.",
  mailed: "The link in the mail is the proof; an operator has `account email` instead.",
  mail: "`account password` sets one without a mail.",
  oneself: "A person about oneself; `member remove` is the same by an operator.",
  shown: "It changes only what a session shows.",
  codes: "They are shown to their person only.",
  ownName: "It is how a person calls the own device, or is called by the pages.",
  playground: "It is what a person did on the playground's pages, for this person alone.",
  otherService: "The person signs in at the other service, in the browser that asked.",
} as const;
export type NoCommandReason = keyof typeof noCommandReasons;
