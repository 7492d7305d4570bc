import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";
import { pythonSamples } from "./python-samples";

const folder = newFolder("python-samples");
const samples = await opened(
  pythonSamples({
    python: "python3",
    cwd: folder,
    environment: { ...process.env, RELAY_API_KEY: "good" },
    limitSeconds: 3,
  }),
);

let files = 0;
function run(text: string): Promise<string> {
  const file = join(folder, `sample-${++files}.py`);
  writeFileSync(file, text);
  return samples.run(file);
}

test("a sample runs as a program of its own, and what it prints is its own", async () => {
  const text = `import os, sys
assert __name__ == "__main__"
print(os.environ["RELAY_API_KEY"], os.path.basename(sys.argv[0]), os.getcwd())
print("a warning", file=sys.stderr)`;
  expect(await run(text)).toBe(`good sample-${files}.py ${folder}\n`);
  expect(await run(`print("other")`)).toBe("other\n");
  expect(await run("")).toBe("");
  const [first, second] = [run(`print("first")`), run(`print("second")`)];
  expect([await first, await second]).toEqual(["first\n", "second\n"]);
});

test("nothing of a sample is left for the next one", async () => {
  await run(`import json, os
json.left = "left"
os.environ["LEFT"] = "left"
os.chdir("/")
left = 1`);
  const text = `import json, os
print(hasattr(json, "left"), "LEFT" in os.environ, os.getcwd(), "left" in globals())`;
  expect(await run(text)).toBe(`False False ${folder} False\n`);
});

test("a sample ends as a program ends: after its threads, and with what it left for the end", async () => {
  const text = `import atexit, sys, threading, time
atexit.register(lambda: print("end"))
threading.Thread(target=lambda: (time.sleep(0.2), print("thread"))).start()
sys.exit()`;
  expect(await run(text)).toBe("thread\nend\n");
});

test.for([
  ["an exception", `print("so far")\nraise ValueError("broken")`, /line 2[\s\S]*broken/],
  ["a name that is not there", "print(os.environ)", /NameError[\s\S]*os/],
  ["a library that is not there", "import no_such_library", /No module named 'no_such_library'/],
  ["a syntax that is none", "print(", /SyntaxError/],
  ["an exit with a code", "import sys\nsys.exit(3)", /ended with 3/],
  ["an exit with a text", `import sys\nsys.exit("why")`, /ended with 1: why/],
  ["a process that ends at once", "import os\nos._exit(4)", /ended with 4/],
] as const)("%s fails with what Python says, and only there", async ([, text, said]) => {
  await expect(run(text)).rejects.toThrow(said);
  expect(await run(`print("next")`)).toBe("next\n");
});

test.for([
  ["waits for ever", "import time\ntime.sleep(600)"],
  [
    "has a thread that waits for ever",
    "import threading, time\nthreading.Thread(target=lambda: time.sleep(600)).start()",
  ],
] as const)("a sample that %s is ended at the limit", async ([, text]) => {
  await expect(run(text)).rejects.toThrow("ended with -14");
  expect(await run(`print("next")`)).toBe("next\n");
});

test("a file that is not there fails", async () => {
  await expect(samples.run(join(folder, "none.py"))).rejects.toThrow();
  expect(await run(`print("next")`)).toBe("next\n");
});
