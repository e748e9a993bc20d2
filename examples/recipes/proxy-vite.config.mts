// vite.config.ts: forwards a page's requests to the explorer while you develop, and adds the API
// key, which pages never see. Vite reads both variables from the environment or from .env files.
import { defineConfig, loadEnv } from "vite";

export default defineConfig(({ mode }) => {
  const { EXPLORER_BASE_URL = "", EXPLORER_API_KEY = "" } = loadEnv(mode, ".", "EXPLORER_");
  return {
    server: {
      proxy: {
        "/api/explorer/v1/": {
          target: EXPLORER_BASE_URL,
          changeOrigin: true,
          rewrite: (path) => path.replace("/api/explorer", ""),
          headers: { "api-key": EXPLORER_API_KEY },
        },
      },
    },
  };
});
