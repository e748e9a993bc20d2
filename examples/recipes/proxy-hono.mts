// A proxy in Hono, wherever it runs: it adds the API key, which pages never see.
import { Hono } from "hono";
import { createProxyHandler } from "mrc-explorer/proxy";

const handler = createProxyHandler();
const app = new Hono();
app.all("/api/explorer/*", ({ req }) => handler(req.raw));

export default app;
