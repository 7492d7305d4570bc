/** Builds the image with Buildah and runs it with Podman, as an installation should run it. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { pause } from "@/lib/timing/pause";

const run = promisify(execFile);
const BUILD_MS = 30 * 60_000;
const RUN_MS = 3 * 60_000;

export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a command to its end; a code other than 0 is no error. */
export async function ended(
  command: string,
  words: readonly string[],
  timeout = RUN_MS,
): Promise<Ended> {
  try {
    const { stdout, stderr } = await run(command, words, { timeout, maxBuffer: 64 * 1024 * 1024 });
    return { code: 0, output: stdout || stderr };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const code = "code" in error && typeof error.code === "number" ? error.code : -1;
    const printed = ["stdout", "stderr"].map((name) => String(Reflect.get(error, name) ?? ""));
    return { code, output: printed.join("") || error.message };
  }
}

/** The standard output of a command; throws what it printed when it fails. */
export async function outputOf(command: string, words: readonly string[], timeout = RUN_MS) {
  const { code, output } = await ended(command, words, timeout);
  if (code !== 0)
    throw new Error(`${command} ${words.slice(0, 3).join(" ")} failed:\n${output.slice(-3000)}`);
  return output.trim();
}

interface Build {
  readonly commit: string;
  /** The time that all files and the image have, in seconds since 1970. */
  readonly epoch: string;
}

/** An image's layers and settings. Its identifier also hangs on that of the container that it was built in. */
const contents = "{{json .RootFS.Layers}} {{json .Config}} {{json .History}}";

/** Builds the image of the sources in `root`, and returns what it consists of, its layers by their hashes. */
export async function buildImage(
  root: string,
  image: string,
  { commit, epoch }: Build,
): Promise<string> {
  await outputOf(
    "buildah",
    [
      "build",
      // Without layers nothing of an earlier build is used, and none of its identifiers is written down.
      ...["--isolation", "chroot", "--pull=missing", "--layers=false"],
      // The format that has a place for the health check.
      ...["--format", "docker"],
      ...["--timestamp", epoch, "--build-arg", `SOURCE_DATE_EPOCH=${epoch}`],
      ...["--build-arg", `RELAY_COMMIT=${commit}`, "--tag", image, root],
    ],
    BUILD_MS,
  );
  return outputOf("podman", ["image", "inspect", "--format", contents, image]);
}

/**
 * What compose.yaml and the Helm chart ask for: no write to the image's files, no capability, no
 * new rights. The limits are lower than Podman's own, which a machine may not allow.
 */
const confined = [
  ...["--read-only", "--read-only-tmpfs=false", "--tmpfs", "/tmp", "--tmpfs", "/app/.next/cache"],
  ...["--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
  ...["--ulimit", "nofile=16384:16384", "--ulimit", "nproc=4096:4096"],
  // This program asks for the health itself: a timer would need systemd.
  ...["--network", "host", "--health-interval", "disable"],
];

export type Environment = Readonly<Record<string, string>>;

export class Engine {
  constructor(
    private readonly image: string,
    private readonly runtime: string,
  ) {}

  private podman(...words: string[]): string[] {
    return ["--runtime", this.runtime, ...words];
  }

  private words(environment: Environment, volume: string): string[] {
    const settings = Object.entries(environment).flatMap(([name, value]) => [
      "--env",
      `${name}=${value}`,
    ]);
    return [...confined, ...settings, "--volume", `${volume}:/data`];
  }

  /** Runs one command in a container of its own. */
  once(environment: Environment, volume: string, ...command: string[]): Promise<Ended> {
    const words = this.words(environment, volume);
    return ended("podman", this.podman("run", "--rm", ...words, this.image, ...command));
  }

  start(name: string, environment: Environment, volume: string): Promise<string> {
    const words = this.words(environment, volume);
    return outputOf("podman", this.podman("run", "--detach", "--name", name, ...words, this.image));
  }

  startAgain(name: string): Promise<string> {
    return outputOf("podman", this.podman("start", name));
  }

  exec(name: string, ...command: string[]): Promise<string> {
    return outputOf("podman", this.podman("exec", name, ...command));
  }

  async isHealthy(name: string): Promise<boolean> {
    return (await ended("podman", this.podman("healthcheck", "run", name))).code === 0;
  }

  async waitUntilHealthy(name: string, seconds: number): Promise<void> {
    for (const startedAt = Date.now(); !(await this.isHealthy(name)); await pause(200))
      if (Date.now() - startedAt > seconds * 1000)
        throw new Error(`not healthy after ${seconds} s:\n${await this.log(name)}`);
  }

  async log(name: string): Promise<string> {
    return (await ended("sh", ["-c", 'podman logs "$0" 2>&1', name])).output;
  }

  kill(name: string): Promise<Ended> {
    return ended("podman", this.podman("kill", "--signal", "KILL", name));
  }

  /** Sends the image's stop signal, and kills after `seconds`. Resolves with the exit code. */
  async stop(name: string, seconds: number): Promise<number> {
    await ended("podman", this.podman("stop", "--time", String(seconds), name));
    return Number(await this.inspect(name, "{{.State.ExitCode}}"));
  }

  inspect(name: string, format: string): Promise<string> {
    return outputOf("podman", ["inspect", "--format", format, name]);
  }

  async remove(name: string): Promise<void> {
    await ended("podman", this.podman("rm", "--force", "--time", "1", name));
  }
}
