import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { SEARCH_LENGTH_MAX } from "@/lib/contract/limits";

interface SearchFieldProps {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}

/** A search field that searches on submit. The URL keeps the text. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const t = useTranslations("operator.list");
  const [text, setText] = useState(value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <search className="min-w-0 flex-1 basis-72">
      <form onSubmit={submit} className="flex gap-2">
        <Input
          type="search"
          aria-label={label}
          placeholder={label}
          value={text}
          maxLength={SEARCH_LENGTH_MAX}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" className="h-10">
          <Search aria-hidden />
          {t("search")}
        </Button>
      </form>
    </search>
  );
}
