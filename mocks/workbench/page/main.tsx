// The page at `/`: starts what it follows, and draws it.
import { render } from "preact";
import { App } from "./app.tsx";
import { followAddress } from "./router.ts";
import { followHead } from "./service/head.ts";
import { applyTheme, takeToken } from "./store.ts";
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/table.css";
import "./style/views.css";

applyTheme();
takeToken();
followAddress();
followHead();
const root = document.getElementById("app");
if (root) render(<App />, root);
