// Runs Fairy-Stockfish's WebAssembly build as a program: UCI on standard input and output, and the
// command "cputime", which prints the microseconds of processor time that the process has used.
//
//     node fairy.mjs stockfish.js variants.ini

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

delete globalThis.fetch; // the build would use it on a file name
const [library, variants] = process.argv.slice(2);
const engine = await createRequire(import.meta.url)(library)();
engine.FS.writeFile("/variants.ini", readFileSync(variants));
engine.addMessageListener((line) => console.log(line));
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "cputime") {
    const { user, system } = process.cpuUsage();
    console.log(`cputime ${user + system}`);
  } else {
    engine.postMessage(line);
  }
}
process.exit(0); // the engine's threads would go on
