import lazy from "preact-iso/lazy";
import { LocationProvider, Route, Router } from "preact-iso/router";
import { NothingHere } from "./pages/nothing-here.js";
import { Shell } from "./shell/shell.js";

/** The table of contents of the console: each address with its page, which is loaded when it is opened. */

const Overview = lazy(() => import("./pages/overview/index.js").then((page) => page.Overview));
const Charges = lazy(() => import("./pages/charges/index.js").then((page) => page.Charges));
const Requests = lazy(() => import("./pages/requests/index.js").then((page) => page.Requests));
const Deliveries = lazy(() => import("./pages/deliveries/index.js").then((page) => page.Deliveries));
const Events = lazy(() => import("./pages/events/index.js").then((page) => page.Events));
const Endpoints = lazy(() => import("./pages/endpoints/index.js").then((page) => page.Endpoints));
const Receiver = lazy(() => import("./pages/receiver/index.js").then((page) => page.Receiver));
const Clock = lazy(() => import("./pages/clock/index.js").then((page) => page.Clock));
const Faults = lazy(() => import("./pages/faults/index.js").then((page) => page.Faults));
const Scenarios = lazy(() => import("./pages/scenarios/index.js").then((page) => page.Scenarios));
const Snapshots = lazy(() => import("./pages/snapshots/index.js").then((page) => page.Snapshots));
const Wallets = lazy(() => import("./pages/wallets/index.js").then((page) => page.Wallets));
const Refunds = lazy(() => import("./pages/refunds/index.js").then((page) => page.Refunds));
const Payouts = lazy(() => import("./pages/payouts/index.js").then((page) => page.Payouts));
const Med = lazy(() => import("./pages/med/index.js").then((page) => page.Med));
const Mail = lazy(() => import("./pages/mail/index.js").then((page) => page.Mail));
const Accounts = lazy(() => import("./pages/accounts/index.js").then((page) => page.Accounts));
const Settings = lazy(() => import("./pages/settings/index.js").then((page) => page.Settings));
const Go = lazy(() => import("./pages/go/index.js").then((page) => page.Go));

export function App() {
  return (
    <LocationProvider scope="/console">
      <Shell>
        <Router>
          <Route path="/console" component={Overview} />
          <Route path="/console/charges/:id?" component={Charges} />
          <Route path="/console/requests/:id?" component={Requests} />
          <Route path="/console/deliveries/:id?" component={Deliveries} />
          <Route path="/console/events/:id?" component={Events} />
          <Route path="/console/endpoints/:id?" component={Endpoints} />
          <Route path="/console/receiver" component={Receiver} />
          <Route path="/console/clock" component={Clock} />
          <Route path="/console/faults" component={Faults} />
          <Route path="/console/scenarios" component={Scenarios} />
          <Route path="/console/snapshots" component={Snapshots} />
          <Route path="/console/wallets/:id?" component={Wallets} />
          <Route path="/console/refunds/:id?" component={Refunds} />
          <Route path="/console/payouts/:id?" component={Payouts} />
          <Route path="/console/med/:id?" component={Med} />
          <Route path="/console/mail/:id?" component={Mail} />
          <Route path="/console/accounts/:id?" component={Accounts} />
          <Route path="/console/settings" component={Settings} />
          <Route path="/console/go/:id+" component={Go} />
          <Route default component={NothingHere} />
        </Router>
      </Shell>
    </LocationProvider>
  );
}
