import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { PageHead } from "@/components/ui/page-head";
import { Segmented } from "@/components/ui/segmented";
import { showToast } from "@/components/ui/toast";
import { modelAddress } from "@/lib/client/operator-models";
import { type Family, families } from "@/lib/contract/states";
import { ModelEditor } from "./model-editor";

/** A new model: first its family, which never changes, then what it is. */
export function NewModelView() {
  const t = useTranslations("operator.models");
  const familyName = useTranslations("families");
  const router = useRouter();
  const [family, setFamily] = useState<Family>("text");
  return (
    <>
      <PageHead title={t("newTitle")} note={t("newNote")}>
        <Segmented
          label={t("family")}
          value={family}
          options={families.map((value) => ({ value, label: familyName(value) }))}
          onChange={setFamily}
        />
      </PageHead>
      <ModelEditor
        key={family}
        family={family}
        before={null}
        onCancel={() => router.push("/admin/models")}
        onDone={({ model }) => {
          showToast(t("made", { model: model.id }));
          router.push(modelAddress(model.id));
        }}
      />
    </>
  );
}
