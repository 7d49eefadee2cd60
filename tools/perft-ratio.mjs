// Compares the speed of our move generator with Fairy-Stockfish's WebAssembly build, both counting
// perft 5 from the start position with bulk counting, in turn, in the same minute:
//
//     node tools/perft-ratio.mjs [rounds]
//
// Needs Go, node 18 or newer and npm, which fetches the engine (package fairy-stockfish-nnue.wasm, GPL-3.0;
// it is run as a process of its own and no part of this program) into a temporary folder. Both must
// find the same number of leaves. The fastest of the rounds counts on either side. Exit code 1: a
// count differs or a ratio is below the one we want.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const engineVersion = "1.1.12";
const depth = 5;
const wanted = { pychess: 30, "moddable-fsf": 70 }; // least ratio by rule set

const here = fileURLToPath(import.meta.url);
const repository = dirname(dirname(here));

if (process.argv[2] === "--engine") {
  await runEngine(process.argv[3], process.argv[4]);
} else {
  await compare(Number(process.argv[2] ?? 3));
}

async function compare(rounds) {
  const folder = mkdtempSync(join(tmpdir(), "perft-ratio-"));
  let failed = false;
  try {
    console.log(`installing fairy-stockfish-nnue.wasm ${engineVersion} into ${folder}`);
    execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", folder,
      `fairy-stockfish-nnue.wasm@${engineVersion}`], { stdio: "inherit" });
    const binary = join(folder, "env.test");
    execFileSync("go", ["test", "-c", "-o", binary, "./env"], { cwd: repository, stdio: "inherit" });
    for (const rules of Object.keys(wanted)) {
      let ours = 0, theirs = 0;
      for (let round = 1; round <= rounds; round++) {
        const engine = await engineSpeed(folder, rules);
        const own = ownSpeed(binary, rules);
        console.log(`${rules} round ${round}: engine ${engine.speed.toFixed(2)}, ours ${own.speed.toFixed(1)} million leaves/s`);
        if (engine.leaves !== own.leaves) {
          throw new Error(`${rules}: the engine counts ${engine.leaves} leaves, we count ${own.leaves}`);
        }
        ours = Math.max(ours, own.speed);
        theirs = Math.max(theirs, engine.speed);
      }
      const ratio = ours / theirs;
      failed ||= ratio < wanted[rules];
      console.log(`${rules} perft ${depth}: ${ours.toFixed(1)} / ${theirs.toFixed(2)} = ${ratio.toFixed(1)} times the engine (wanted: ${wanted[rules]})`);
    }
  } catch (error) {
    console.error(`perft-ratio: ${error.message}`);
    failed = true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.exitCode = failed ? 1 : 0;
}

// ownSpeed reads the Go benchmark's metrics.
function ownSpeed(binary, rules) {
  const output = execFileSync(binary, ["-test.run=^$", `-test.bench=^BenchmarkPerft$/^${rules}$/^${depth}$`, "-test.benchtime=2s"],
    { cwd: join(repository, "env"), encoding: "utf8" });
  const metric = (unit) => {
    const found = output.match(new RegExp(`([\\d.e+]+) ${unit}\\b`));
    if (!found) throw new Error(`no ${unit} in the benchmark's output:\n${output}`);
    return Number(found[1]);
  };
  return { leaves: metric("leaves"), speed: metric("best-Mleaves/s") };
}

// engineSpeed runs the engine in a process of its own, which is killed if it takes too long.
function engineSpeed(folder, rules) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [here, "--engine", folder, rules], { stdio: ["ignore", "pipe", "inherit"], timeout: 120_000 });
    let output = "";
    child.stdout.on("data", (data) => (output += data));
    child.on("error", reject);
    child.on("close", () => {
      const answer = output.match(/RESULT (\d+) ([\d.]+)/);
      if (answer) resolve({ leaves: Number(answer[1]), speed: Number(answer[2]) });
      else reject(new Error(`the engine gave no result for ${rules}:\n${output}`));
    });
  });
}

// runEngine counts once and prints the leaves and millions of them a second. An engine that does not
// know a variant silently plays chess, so its confirmation is required.
async function runEngine(folder, rules) {
  delete globalThis.fetch; // the build would use it on a file name
  const require = createRequire(import.meta.url);
  const engine = await require(join(folder, "node_modules/fairy-stockfish-nnue.wasm/stockfish.js"))();
  engine.FS.writeFile("/variants.ini", readFileSync(join(repository, "tools/variants.ini")));
  let waiting = null;
  engine.addMessageListener((line) => {
    const found = waiting && line.match(waiting.pattern);
    if (found) waiting.resolve(found);
  });
  const ask = (command, pattern) => new Promise((resolve) => {
    waiting = { pattern, resolve };
    engine.postMessage(command);
  });
  await ask("uci", /^uciok/);
  engine.postMessage("setoption name VariantPath value /variants.ini");
  await ask(`setoption name UCI_Variant value ${rules}`, new RegExp(`^info string variant ${rules} `));
  engine.postMessage("position startpos");
  await ask("go perft 4", /^Nodes searched: (\d+)/); // compiles the WebAssembly
  const start = performance.now();
  const [, leaves] = await ask(`go perft ${depth}`, /^Nodes searched: (\d+)/);
  const seconds = (performance.now() - start) / 1000;
  console.log(`RESULT ${leaves} ${(leaves / seconds / 1e6).toFixed(4)}`);
  process.exit(0);
}
