import { Segmented } from "@/components/ui/segmented";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useChangeAccount } from "@/lib/client/settings";
import type { ChangeAccountBody } from "@/lib/contract/settings";

interface AccountSwitchProps {
  isOn: boolean;
  change: (isOn: boolean) => ChangeAccountBody;
  label: string;
  on: string;
  off: string;
  saved: (isOn: boolean) => string;
}

/** A term of the account that is one of two, and is changed at once. */
export function AccountSwitch({ isOn, change, label, on, off, saved }: AccountSwitchProps) {
  const showFailure = useFailureToast();
  const { mutate, isPending, variables } = useChangeAccount();
  const shown = isPending ? Object.values(variables).includes(true) : isOn;
  return (
    <Segmented
      className="max-w-sm self-start"
      label={label}
      options={[
        { value: "on", label: on },
        { value: "off", label: off },
      ]}
      value={shown ? "on" : "off"}
      onChange={(value) =>
        mutate(change(value === "on"), {
          onSuccess: () => showToast(saved(value === "on")),
          onError: showFailure,
        })
      }
    />
  );
}
