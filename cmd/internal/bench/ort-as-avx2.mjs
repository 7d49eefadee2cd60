// Makes a copy of ONNX Runtime's library that takes the processor for one that has AVX2 and no more, so that
// figures for such machines can be measured on one with AVX-512:
//   node cmd/internal/bench/ort-as-avx2.mjs libonnxruntime.so.1 copy.so
// The library asks the processor which registers the system saves (XGETBV); the copy hears the answer of a
// machine without AVX-512. It also asks for AVX-VNNI, and the copy always goes the way of "no".
import { readFileSync, writeFileSync } from "node:fs";

const [from, to] = process.argv.slice(2);
if (!to) {
  console.error("usage: node cmd/internal/bench/ort-as-avx2.mjs LIBRARY COPY");
  process.exit(2);
}

// What stands before the bar stays, what comes after it is overwritten.
const patches = [
  // xgetbv -> push 7; pop rax: the state of x87, SSE and AVX
  { what: "questions for saved registers", find: "31c9|0f01d0", write: "6a0758", count: 2 },
  { what: "questions for saved registers", find: "4889d5|0f01d0", write: "6a0758", count: 1 },
  // cpuid; test al, 0x10; je -> jmp: past the kernels that need AVX-VNNI
  { what: "questions for AVX-VNNI", find: "0fa2a810|74", write: "eb", count: 1 },
];

let library;
try {
  library = readFileSync(from);
} catch (error) {
  console.error(`${from}: ${error.message}`);
  process.exit(1);
}
for (const { what, find, write, count } of patches) {
  const [before, found] = find.split("|");
  const pattern = Buffer.from(before + found, "hex");
  const places = [];
  for (let at = library.indexOf(pattern); at >= 0; at = library.indexOf(pattern, at + 1)) places.push(at);
  if (places.length !== count) {
    console.error(`${from}: ${places.length} ${what}, expected ${count}: this is not the library of onnxruntime-node 1.30 for linux/x64`);
    process.exit(1);
  }
  for (const at of places) library.write(write, at + before.length / 2, "hex");
}
writeFileSync(to, library, { mode: 0o755 });
