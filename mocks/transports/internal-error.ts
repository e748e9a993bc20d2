// The response to an error of the explorer itself: logged here, without details for the caller.
import { errorResponse, type ServiceResponse } from "../message.ts";

export function internalError(error: unknown): ServiceResponse {
  console.error("mrc-explorer: internal error:", error);
  return errorResponse(500, "internal error");
}
