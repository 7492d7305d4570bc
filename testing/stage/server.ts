/** A place for the product that stays the same while its processes are killed and started again. */
import { pause } from "@/lib/timing/pause";
import { parentProcess, processTree, signal } from "./processes";
import { hasEnded, type Product, type ProductOptions, startProduct } from "./product";

export class Server {
  #product: Product | null = null;
  #address = "";

  constructor(
    readonly name: string,
    /** Of its next start. */
    public options: ProductOptions,
  ) {}

  /** The last one that was started. */
  get product(): Product {
    if (this.#product === null) throw new Error(`the server "${this.name}" was never started`);
    return this.#product;
  }

  /** The address that it prints. */
  get address(): string {
    return this.#address;
  }

  get port(): number {
    return Number(this.options.settings.PORT ?? 0) || Number(new URL(this.#address).port);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#product?.process.pid ?? 0;
  }

  get dataFolder(): string {
    return this.options.settings.RELAY_DATA_DIR ?? "";
  }

  /** The processes that serve, where there are several. */
  get workerPids(): number[] {
    return processTree(this.pid).filter((pid) => {
      try {
        return pid !== this.pid && parentProcess(pid) === this.pid;
      } catch {
        return false;
      }
    });
  }

  hasEnded(): boolean {
    return this.#product === null || hasEnded(this.#product.process);
  }

  /**
   * Resolves once it serves. `tries`: how often it is started when it ends at once, as a supervisor
   * does: the database may be away.
   */
  async start(tries = 1): Promise<void> {
    this.#product = startProduct(this.options);
    try {
      this.#address = await this.#product.address;
    } catch (error) {
      await this.#product.kill();
      if (tries <= 1) throw error;
      await pause(1000);
      await this.start(tries - 1);
    }
  }

  async kill(): Promise<void> {
    await this.#product?.kill();
  }

  async stop(): Promise<number | null> {
    return this.#product === null ? null : this.#product.stop();
  }

  /** Ends what is left of it after a run that failed. */
  abandon(): void {
    if (!this.hasEnded()) signal(processTree(this.pid), "SIGKILL");
  }
}
