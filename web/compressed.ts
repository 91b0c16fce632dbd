import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const WORTH_IT = /\.(html|js|css|svg|txt|webmanifest)$/;

/** Beside each built text file, the same compressed: the server never compresses anything itself. */
export function compress(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !WORTH_IT.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const plain = readFileSync(path);
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${path}.br`, brotliCompressSync(plain, { params: quality }));
    writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }));
  }
}
