import lazy from "preact-iso/lazy";
import { LocationProvider, Route, Router } from "preact-iso/router";
import { NothingHere } from "./pages/nothing-here.js";
import { Shell } from "./shell/shell.js";

/** The table of contents of the console: each address with its page. Pages of one room are loaded together, when one is opened. */

const payments = () => import("./rooms/payments.js");
const traffic = () => import("./rooms/traffic.js");
const steering = () => import("./rooms/steering.js");
const books = () => import("./rooms/books.js");

const Charges = lazy(() => payments().then((room) => room.Charges));
const Med = lazy(() => payments().then((room) => room.Med));
const Payouts = lazy(() => payments().then((room) => room.Payouts));
const Refunds = lazy(() => payments().then((room) => room.Refunds));
const Deliveries = lazy(() => traffic().then((room) => room.Deliveries));
const Endpoints = lazy(() => traffic().then((room) => room.Endpoints));
const Events = lazy(() => traffic().then((room) => room.Events));
const Receiver = lazy(() => traffic().then((room) => room.Receiver));
const Requests = lazy(() => traffic().then((room) => room.Requests));
const Faults = lazy(() => steering().then((room) => room.Faults));
const Scenarios = lazy(() => steering().then((room) => room.Scenarios));
const Snapshots = lazy(() => steering().then((room) => room.Snapshots));
const Overview = lazy(() => books().then((room) => room.Overview));
const Wallets = lazy(() => books().then((room) => room.Wallets));
const Clock = lazy(() => books().then((room) => room.Clock));
const Mail = lazy(() => books().then((room) => room.Mail));
const Accounts = lazy(() => books().then((room) => room.Accounts));
const Settings = lazy(() => books().then((room) => room.Settings));
const Go = lazy(() => books().then((room) => room.Go));

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
