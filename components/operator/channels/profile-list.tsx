import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import {
  profileParts,
  type Reads,
  readFields,
  readForms,
  servesForm,
  streamsFromAnswer,
} from "@/lib/contract/channel-profile";
import type { ChannelTestView, ChannelView } from "@/lib/contract/operator-channels";

interface ProfileListProps {
  channel: ChannelView;
  test: ChannelTestView | null;
}

/** What tests have found out about a channel, and what follows for the requests it serves. */
export function ProfileList({ channel, test }: ProfileListProps) {
  const t = useTranslations("operator.channels");
  const { profile, profiledAt, refusal } = channel;
  const isDropped = test !== null && test.profile !== null && !test.isStored;
  return (
    <section aria-label={t("profile")} className="grid gap-2 text-sm">
      <h3 className="font-medium">{t("profile")}</h3>
      {isDropped ? <Notice tone="note">{t("testDropped")}</Notice> : null}
      {profile === null || profiledAt === null ? (
        <p className="text-muted">{t("notTested")}</p>
      ) : (
        <>
          <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
            {profileParts.map((part) => (
              <div key={part} className="contents">
                <dt className="text-muted">{t(`profileParts.${part}`)}</dt>
                <dd>{t(`found.${wordOf(profile[part])}`)}</dd>
              </div>
            ))}
          </dl>
          <p className="text-muted">
            {t("testedAt")} <RelativeTime at={profiledAt} />
          </p>
        </>
      )}
      {Object.entries(profile?.reads ?? {}).map(([model, reads]) => (
        <Unread key={model} model={model} reads={reads} />
      ))}
      {refusal === null ? null : <Notice tone="bad">{t(`refusals.${refusal}`)}</Notice>}
      {refusal === null ? <Consequence channel={channel} /> : null}
    </section>
  );
}

const wordOf = (found: boolean | undefined) =>
  found === undefined ? "unknown" : found ? "yes" : "no";

/** What the upstream of a model does not read, in words; what it reads needs none. */
function Unread({ model, reads }: { model: string; reads: Reads }) {
  const t = useTranslations("operator.channels");
  const forms = readForms.filter((name) => reads[name] === false);
  const fields = readFields.filter((name) => reads[name] === false);
  if (forms.length + fields.length === 0)
    return Object.values(reads).includes(true) ? <p>{t("readsAll", { model })}</p> : null;
  return (
    <div>
      <p>{t("readsNot", { model })}</p>
      <ul className="list-disc pl-5 text-muted">
        {forms.map((name) => (
          <li key={name}>{t(`unread.${name}`)}</li>
        ))}
        {fields.map((name) => (
          <li key={name}>{t("unreadField", { name })}</li>
        ))}
      </ul>
    </div>
  );
}

function Consequence({ channel }: { channel: ChannelView }) {
  const t = useTranslations("operator.channels");
  if (streamsFromAnswer(channel)) return <p>{t("streamsFromAnswer")}</p>;
  if (!servesForm(channel, "stream")) return <p>{t("servesNoStreams")}</p>;
  return servesForm(channel, "plain") ? null : <p>{t("servesOnlyStreams")}</p>;
}
