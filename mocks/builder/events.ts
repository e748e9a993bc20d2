// The events of token contracts, by their topic.
import { TRANSFER_TOPIC } from "../chain/transfer-event.ts";
import { eventTopic } from "./evm.ts";

export const tokenEvents = {
  transfer: TRANSFER_TOPIC,
  approval: eventTopic("Approval(address,address,uint256)"),
  approvalForAll: eventTopic("ApprovalForAll(address,address,bool)"),
} as const;
