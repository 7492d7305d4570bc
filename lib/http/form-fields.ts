/** The fields of a form, as the members of the JSON body that would say the same. */
import { z } from "zod";
import type { EndpointRow, FormBounds } from "../contract/endpoint";
import { FORM_NAME_LENGTH_MAX } from "../contract/limits";
import { RelayError } from "../failures/relay-error";
import { EncodedFile } from "../json/encoded-file";
import { imageTypeOf } from "../json/image-type";
import type { InlineImages } from "../json/inline-images";
import { isKeyOf, isRecord } from "../values/records";
import { bodyTooLarge } from "./body-too-large";
import { coerced, schemaOfMember } from "./coerced";

const MEBIBYTE = 1024 * 1024;
/** `name`, `name[]` for an item of a list, `name[member]`, or `name[][member]` of an item. */
const fieldName = /^([^[\]]+)(?:\[([^[\]]*)\](?:\[([^[\]]+)\])?)?$/;

const refused = (code: "invalid_value" | "unsupported_value", param: string, text: string) =>
  new RelayError(code, { param, message: `\`${param}\` ${text}` });

type Members = Map<string, unknown>;
interface Field {
  readonly name: string;
  readonly isFile: boolean;
  readonly isList: boolean;
  readonly items: unknown[];
  readonly members: Members;
}

/** The last item of a list that may get a member: the next one begins with one that it has. */
function itemWithout(member: string, items: unknown[]): Record<string, unknown> {
  const last = items.at(-1);
  if (isRecord(last) && !Object.hasOwn(last, member)) return last;
  const next = {};
  items.push(next);
  return next;
}

export class FormFields {
  readonly #fields = new Map<string, Field>();
  /** What identifies the form: each part's name and content. */
  readonly #parts: string[] = [];
  readonly #shape: Readonly<Record<string, z.core.$ZodType>>;
  #textBytes = 0;

  constructor(
    readonly row: EndpointRow & { readonly form: FormBounds },
    readonly images: InlineImages,
  ) {
    this.#shape = row.request instanceof z.ZodObject ? row.request.shape : {};
  }

  addText(named: string | undefined, text: string): void {
    const { textBytesMax = MEBIBYTE } = this.row;
    this.#textBytes += Buffer.byteLength(text);
    if (this.#textBytes > textBytesMax) throw bodyTooLarge(textBytesMax);
    this.#parts.push(JSON.stringify([named, "text", text]));
    const { field, member } = this.#fieldOf(named, false);
    const schema = isKeyOf(this.#shape, field.name) ? this.#shape[field.name] : undefined;
    const value = coerced(
      member === "" ? (field.isList ? undefined : schema) : schemaOfMember(schema, member),
      text,
    );
    if (member !== "" && field.isList) itemWithout(member, field.items)[member] = value;
    else if (member !== "") {
      if (field.members.has(member)) throw this.#repeated(`${field.name}.${member}`);
      field.members.set(member, value);
    } else {
      if (field.items.length > 0 && !field.isList) throw this.#repeated(field.name);
      field.items.push(value);
    }
  }

  /** A file that is about to arrive. */
  openFile(named: string | undefined): { push(part: Buffer): void; end(): void } {
    const { field, member } = this.#fieldOf(named, true);
    const { name } = field;
    const { fileFields, fileBytesMax } = this.row.form;
    if (!fileFields.includes(name) || member !== "") {
      const allowed = fileFields.join(", ");
      throw refused("unsupported_value", name, `is a file: files are allowed only as ${allowed}.`);
    }
    const file = new EncodedFile();
    let bytes = 0;
    return {
      push(part) {
        bytes += part.length;
        if (bytes > fileBytesMax) {
          const most = `a file must have at most ${fileBytesMax / MEBIBYTE} MiB`;
          throw refused("invalid_value", name, `is larger than allowed: ${most}.`);
        }
        file.push(part);
      },
      end: () => {
        const type = imageTypeOf(file.head);
        if (type === null)
          throw refused("invalid_value", name, "is no image: send a PNG, JPEG or WebP file.");
        const { blocks, sha256 } = file.end();
        this.#parts.push(JSON.stringify([named, "file", sha256]));
        field.items.push(`data:image/${type};base64,${this.images.add(blocks)}`);
      },
    };
  }

  /** The body. */
  value(): Record<string, unknown> {
    return Object.fromEntries(
      [...this.#fields].map(([name, field]): [string, unknown] => [name, this.#valueOf(field)]),
    );
  }

  /** Equal for two forms exactly if they say the same in the same order. */
  identity(): string {
    return `multipart/form-data\n${this.#parts.join("\n")}`;
  }

  #valueOf({ isList, isFile, items, members }: Field): unknown {
    if (members.size > 0) return Object.fromEntries(members);
    return isList || (isFile && items.length > 1) ? items : items[0];
  }

  #fieldOf(named: string | undefined, isFile: boolean): { field: Field; member: string } {
    if (named === undefined || named === "" || named.length > FORM_NAME_LENGTH_MAX)
      throw new RelayError("invalid_value", {
        message: `Each part of the form must have a name of 1 to ${FORM_NAME_LENGTH_MAX} characters.`,
      });
    const [, name = named, bracket, ofItem] = fieldName.exec(named) ?? [];
    const isList = bracket === "";
    const known = this.#fields.get(name);
    if (known && (known.isFile !== isFile || known.isList !== isList)) throw this.#repeated(name);
    const field = known ?? { name, isFile, isList, items: [], members: new Map() };
    this.#fields.set(name, field);
    return { field, member: (isList ? ofItem : bracket) ?? "" };
  }

  #repeated(name: string): RelayError {
    return refused(
      "invalid_value",
      name,
      "must be given only once, or each time as a list's item.",
    );
  }
}
