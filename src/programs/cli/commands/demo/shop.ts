import { H3 } from "h3";
import { createShop } from "../../../../../examples/shop/create-shop.mjs";
import type { HttpServer } from "../../../../api/http/server.js";
import { createIds } from "../../../../base/platform/real-runtime.js";
import { DEMO_PROFILE, HOST } from "../../profiles/demo-profile.js";
import type { Io } from "../../terminal/io.js";

/** The example shop of the package (examples/shop), in this process: no program of its own can outlive the command. */

/** The number of the first order. */
const FIRST_ORDER = 1_001;

type OpenShop = Pick<HttpServer, "close"> & {
  readonly url: string;
  /** Opens the shop for customers of this service. Requests wait until then: the service needs the shop's address first. */
  open(serviceUrl: string, webhookSecret: string): void;
};

/** Takes the port of the shop; 0 takes any free one. Throws ListenError when the port is taken. */
export async function takeShopPort(io: Io, port: number): Promise<OpenShop> {
  const { nodeOf, takePort } = await import("../../../../api/http/server.js");
  const { real, random, log } = io.runtime();
  const server = await takePort({ host: HOST, port, real, ids: createIds({ now: real.epoch }, random), log });
  return {
    url: `http://${HOST}:${server.port}`,
    open(baseUrl, webhookSecret) {
      const { api_key: apiKey } = DEMO_PROFILE;
      let orders = FIRST_ORDER;
      const shop = createShop({ baseUrl, apiKey, webhookSecret, newId: () => String(orders++) });
      const app = new H3({ silent: true, allowMalformedURL: true });
      app.all("/**", (event) => {
        const { request, response } = nodeOf(event);
        return shop(request, response);
      });
      server.serve(app);
    },
    close: server.close,
  };
}
