import jsQR from "jsqr";
import { expect, test } from "vitest";

import { modulesOf } from "../src/routes/table/qr.ts";

/** As a camera sees it: each module a few pixels wide. */
function photographed({ size, path }: { size: number; path: string }): string | undefined {
  const scale = 4;
  const side = size * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < scale; row++) {
      const from = ((Number(y) * scale + row) * side + Number(x) * scale) * 4;
      for (let pixel = 0; pixel < scale; pixel++) pixels.fill(0, from + pixel * 4, from + pixel * 4 + 3);
    }
  }
  return jsQR(pixels, side, side)?.data;
}

test.each([
  "http://localhost:8080/t/CQbQTz8QB9m",
  "https://games.example.org/t/CQbQTz8QB9m?key=r0-63nIFY8E69IMU6wSd9A",
  `https://${"a-long-name.".repeat(12)}example.org/t/CQbQTz8QB9m?key=r0-63nIFY8E69IMU6wSd9A`,
])("a camera reads the link %s", (link) => {
  expect(photographed(modulesOf(link))).toBe(link);
});
