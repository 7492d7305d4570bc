import { useTranslations } from "next-intl";
import { CodeSamples } from "@/components/ui/code-samples";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { linkClassName } from "@/components/ui/rich-text";
import { chatSamples } from "@/lib/client/samples";
import { FIRST_KEY_PATH, NEW_KEY_PATH } from "@/lib/contract/page-paths";

interface QuickStartProps {
  baseUrl: string;
  welcomePoints: string;
  isSignedIn: boolean;
}

/** The steps to a first answer, with this installation's own address. */
export function QuickStart({ baseUrl, welcomePoints, isSignedIn }: QuickStartProps) {
  const t = useTranslations("home.start");
  return (
    <section
      id="start"
      aria-labelledby="start-title"
      className="mt-20 grid grid-cols-1 gap-x-14 gap-y-8 lg:grid-cols-[1fr_1.25fr]"
    >
      <div>
        <h2 id="start-title" className="text-2xl">
          {t("title")}
        </h2>
        <ol className="mt-5 grid gap-5">
          <Step number={1} title={t("account.title")}>
            {t.rich("account.text", {
              points: Number(welcomePoints),
              link: (text) => (
                <Link href={isSignedIn ? "/points" : "/signup"} className={linkClassName}>
                  {text}
                </Link>
              ),
            })}
          </Step>
          <Step number={2} title={t("key.title")}>
            {t.rich("key.text", {
              link: (text) => (
                <Link href={isSignedIn ? NEW_KEY_PATH : FIRST_KEY_PATH} className={linkClassName}>
                  {text}
                </Link>
              ),
            })}
          </Step>
          <Step number={3} title={t("call.title")}>
            {t("call.text")}
          </Step>
        </ol>
        <div className="mt-6 flex items-center gap-2 rounded-md border bg-card py-1.5 pr-1.5 pl-3.5">
          <span className="text-muted text-sm">{t("baseUrl")}</span>
          <code className="min-w-0 flex-1 truncate text-sm">{baseUrl}</code>
          <CopyButton text={baseUrl} what={t("baseUrl")} look="quiet" />
        </div>
      </div>
      <div className="min-w-0">
        <CodeSamples label={t("samples")} samples={chatSamples(baseUrl)} />
        <p className="mt-3 text-muted text-sm">
          {t.rich("samplesNote", {
            docs: (text) => (
              <Link href="/docs" className={linkClassName}>
                {text}
              </Link>
            ),
          })}
        </p>
      </div>
    </section>
  );
}

interface StepProps {
  number: number;
  title: string;
  children: React.ReactNode;
}

function Step({ number, title, children }: StepProps) {
  return (
    <li className="grid grid-cols-[1.75rem_1fr]">
      <span aria-hidden className="num text-faint">
        {number}
      </span>
      <div>
        <h3 className="font-medium text-base">{title}</h3>
        <p className="max-w-[48ch] text-muted">{children}</p>
      </div>
    </li>
  );
}
