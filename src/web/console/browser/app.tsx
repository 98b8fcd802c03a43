import type { ComponentType } from "preact";
import lazy from "preact-iso/lazy";
import { LocationProvider, Route, Router } from "preact-iso/router";
import { asFailure, unreachable } from "./api/call.js";
import { Go } from "./pages/go/index.js";
import { Moved } from "./pages/moved.js";
import { NothingHere } from "./pages/nothing-here.js";
import { Problem } from "./parts/why.js";
import { MENU, type MenuName } from "./shell/menu.js";
import { Shell } from "./shell/shell.js";
import { MOVED_PAGES } from "./words/moved.js";

type MenuPage = ComponentType<{ id?: string }>;

/**
 * A page in a script of its own: a visit gets those that it opens. The page before stays until the script is there. A
 * server that is gone, or that has other scripts since a new build, does not send it: the window is then loaded anew.
 */
function page(load: () => Promise<MenuPage>): MenuPage {
  const problem = (thrown: unknown) => () => <Problem of={asFailure(thrown)} retry={() => location.reload()} />;
  return lazy(() => load().catch(unreachable).catch(problem));
}

/** The pages of the menu. A page that shows objects receives the id in the address. */
const PAGES: Readonly<Record<MenuName, MenuPage>> = {
  overview: page(() => import("./pages/overview/index.js").then(({ Overview }) => Overview)),
  connect: page(() => import("./pages/connect/index.js").then(({ Connect }) => Connect)),
  charges: page(() => import("./pages/charges/index.js").then(({ Charges }) => Charges)),
  refunds: page(() => import("./pages/refunds/index.js").then(({ Refunds }) => Refunds)),
  payouts: page(() => import("./pages/payouts/index.js").then(({ Payouts }) => Payouts)),
  med: page(() => import("./pages/med/index.js").then(({ Med }) => Med)),
  wallets: page(() => import("./pages/wallets/index.js").then(({ Wallets }) => Wallets)),
  webhooks: page(() => import("./pages/webhooks/index.js").then(({ Webhooks }) => Webhooks)),
  endpoints: page(() => import("./pages/endpoints/index.js").then(({ Endpoints }) => Endpoints)),
  requests: page(() => import("./pages/requests/index.js").then(({ Requests }) => Requests)),
  clock: page(() => import("./pages/clock/index.js").then(({ Clock }) => Clock)),
  faults: page(() => import("./pages/faults/index.js").then(({ Faults }) => Faults)),
  scenarios: page(() => import("./pages/scenarios/index.js").then(({ Scenarios }) => Scenarios)),
  accounts: page(() => import("./pages/accounts/index.js").then(({ Accounts }) => Accounts)),
  settings: page(() => import("./pages/settings/index.js").then(({ Settings }) => Settings)),
};

export function App() {
  return (
    <LocationProvider scope="/console">
      <Shell>
        <Router>
          {MENU.map((page) => (
            <Route key={page.name} path={`${page.path}${"ids" in page ? "/:id?" : ""}`} component={PAGES[page.name]} />
          ))}
          <Route path="/console/go/:id+" component={Go} />
          {MOVED_PAGES.map((name) => (
            <Route key={name} path={`/console/${name}/:id*`} component={Moved} />
          ))}
          <Route default component={NothingHere} />
        </Router>
      </Shell>
    </LocationProvider>
  );
}
