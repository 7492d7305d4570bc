import { useFormatter, useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { tags } from "@/components/ui/rich-text";
import {
  Cell,
  ColumnHead,
  NumberCell,
  Row,
  Table,
  TableBody,
  TableHead,
} from "@/components/ui/table";
import { imageTokens, parseImageSize, pixelsText } from "@/lib/catalog/image-sizes";
import { firstModelOf } from "@/lib/catalog/models";
import type { Place } from "@/lib/docs/code";
import { snippets } from "@/lib/docs/snippets";
import { GuideFrame, Prose, sectionsOf } from "../guide-frame";
import { Sample } from "../sample";

export function ImagesGuide({ place }: { place: Place }) {
  const model = firstModelOf("image");
  const t = useTranslations("docs.guides.images");
  return (
    <GuideFrame
      name="images"
      title={t("title")}
      lead={t("lead")}
      sections={sectionsOf(t, {
        make: (
          <>
            <Prose>
              {t.rich("make.text", {
                ...tags,
                min: model.sidePixelsMin,
                max: model.sidePixelsMax,
                pixels: pixelsText(model.pixelsMax),
              })}
            </Prose>
            <Sample title={t("make.sample")} code={snippets.image(place)} />
          </>
        ),
        ratio: (
          <>
            <Prose>{t.rich("ratio.text", tags)}</Prose>
            <RatioTable />
            <Sample title={t("ratio.sample")} code={snippets.imageByRatio(place)} />
          </>
        ),
        quality: <Prose>{t.rich("quality.text", tags)}</Prose>,
        from: (
          <>
            <Prose>{t.rich("from.text", { ...tags, count: model.referenceImagesMax })}</Prose>
            <Sample title={t("from.sample")} code={snippets.imageFromImages(place)} />
          </>
        ),
        data: (
          <>
            <Prose>{t.rich("data.text", tags)}</Prose>
            <Sample title={t("data.sample")} code={snippets.imageAsData(place)} />
          </>
        ),
        later: <Later place={place} />,
        count: <Prose>{t.rich("count.text", tags)}</Prose>,
        price: <Prose>{t.rich("price.text", tags)}</Prose>,
      })}
    />
  );
}

function Later({ place }: { place: Place }) {
  const t = useTranslations("docs.guides.images.later");
  return (
    <>
      <Prose>{t.rich("text", tags)}</Prose>
      <Sample title={t("sample")} code={snippets.imageLater(place)} />
    </>
  );
}

function RatioTable() {
  const t = useTranslations("docs.guides.images.ratio");
  const format = useFormatter();
  const model = firstModelOf("image");
  return (
    <Card>
      <Table labelledBy="ratio">
        <TableHead>
          <ColumnHead>{t("name")}</ColumnHead>
          <ColumnHead isNumber>{t("size")}</ColumnHead>
          <ColumnHead isNumber>{t("tokens")}</ColumnHead>
        </TableHead>
        <TableBody>
          {Object.entries(model.ratioSizes).map(([ratio, size]) => {
            const [width, height] = parseImageSize(size) ?? [0, 0];
            return (
              <Row key={ratio}>
                <Cell className="num">{ratio}</Cell>
                <NumberCell label={t("size")}>{size}</NumberCell>
                <Cell isNumber label={t("tokens")}>
                  {format.number(imageTokens(width, height))}
                </Cell>
              </Row>
            );
          })}
        </TableBody>
      </Table>
    </Card>
  );
}
