import type { ComponentType } from "preact";
import lazy from "preact-iso/lazy";
import { LocationProvider, Route, Router } from "preact-iso/router";
import { asFailure, unreachable } from "./api/call.js";
import { Charges } from "./pages/charges/index.js";
import { Go } from "./pages/go/index.js";
import { Med } from "./pages/med/index.js";
import { Moved } from "./pages/moved.js";
import { NothingHere } from "./pages/nothing-here.js";
import { Overview } from "./pages/overview/index.js";
import { Payouts } from "./pages/payouts/index.js";
import { Refunds } from "./pages/refunds/index.js";
import { Requests } from "./pages/requests/index.js";
import { Wallets } from "./pages/wallets/index.js";
import { Webhooks } from "./pages/webhooks/index.js";
import { Skeleton } from "./parts/skeleton.js";
import { ProblemLine } from "./parts/why.js";
import { MENU, type MenuName } from "./shell/menu.js";
import { Shell } from "./shell/shell.js";
import { connection } from "./state/connection.js";
import { MOVED_PAGES } from "./words/moved.js";

type MenuPage = ComponentType<{ id?: string }>;

/**
 * A page of the second script. The page before stays until the script is there. A server that is gone, or that has other
 * scripts since a new build, does not send it: the window is then loaded anew.
 */
function tool(name: keyof typeof import("./pages/tools.js")): MenuPage {
  const problem = (thrown: unknown) => () =>
    connection.isWorking ? <ProblemLine of={asFailure(thrown)} retry={() => location.reload()} /> : <Skeleton />;
  return lazy(() => import("./pages/tools.js").then((tools): MenuPage => tools[name], unreachable).catch(problem));
}

/** The pages of the menu. A page that shows objects receives the id in the address. */
const PAGES: Readonly<Record<MenuName, MenuPage>> = {
  overview: Overview,
  connect: tool("Connect"),
  charges: Charges,
  refunds: Refunds,
  payouts: Payouts,
  med: Med,
  wallets: Wallets,
  webhooks: Webhooks,
  endpoints: tool("Endpoints"),
  requests: Requests,
  clock: tool("Clock"),
  faults: tool("Faults"),
  scenarios: tool("Scenarios"),
  accounts: tool("Accounts"),
  settings: tool("Settings"),
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
