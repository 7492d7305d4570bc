/** What is ordered in the demo. The newest results are made from these by the sandbox. */

export const videoPrompts = [
  "A lighthouse in heavy rain, waves breaking against the rocks, slow push in",
  "Steam rising from a cup of coffee on a windowsill, soft morning light",
  "A paper boat drifts down a flooded street, seen from above",
  "Time lapse of clouds over a salt flat, the horizon mirrored in the water",
  "A red fox crosses a snowy clearing and looks into the camera",
  "Macro shot of a watch movement, gears turning, shallow depth of field",
  "A cyclist on a coast road at sunset, the camera follows from the side",
  "An empty subway station, a train arrives, its doors open and close",
  "Desert dunes at dawn, the wind draws lines in the sand",
  "A potter shapes a bowl on the wheel, close up of the hands",
  "Night market in the rain, neon signs reflected in puddles",
  "A hot air balloon rises over vineyards, wide shot",
  "Slow orbit around a glass perfume bottle on black marble",
  "Waves of tall grass in the wind, a lone tree in the distance",
  "An astronaut walks through a greenhouse full of ferns",
  "Snow begins to fall on a small harbour, boats rocking gently",
] as const;

const chineseVideoPrompts = [
  "雨夜的老城街道，霓虹灯映在积水里，镜头缓缓推进",
  "清晨的茶山云雾缭绕，航拍",
  "一只橘猫跳上窗台，看向窗外的雪",
  "高铁驶过金黄的油菜花田，侧面跟拍",
] as const;

export const imagePrompts = [
  "A fox in snow, watercolour",
  "Isometric cutaway of a small bookshop at night",
  "Portrait of an old fisherman, natural light, 85 mm",
  "Poster for a jazz festival, two colours, bold shapes",
  "Storyboard frame: a door opens into bright light, ink and wash",
  "Botanical illustration of a fern, labelled parts",
  "A ceramic teapot on linen, product photo, soft shadow",
  "Concept art of a floating market, late afternoon",
  "Pixel art knight, sixteen colours, three-quarter view",
  "An aerial view of terraced fields after rain",
  "Minimal logo sketch of a lantern, black on white",
  "A cosy reading nook in a tree house, warm lamps",
] as const;

const chineseImagePrompts = [
  "水墨风格的远山与孤舟",
  "国潮风格的茶叶包装插画",
  "夜晚的外滩，长曝光",
] as const;

export const prompts = {
  video: { en: videoPrompts, zh: chineseVideoPrompts },
  image: { en: imagePrompts, zh: chineseImagePrompts },
};
