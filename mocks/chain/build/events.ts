// The events of token contracts, by their topic.
import { eventTopic } from "./evm.ts";

export const tokenEvents = {
  transfer: eventTopic("Transfer(address,address,uint256)"),
  approval: eventTopic("Approval(address,address,uint256)"),
  approvalForAll: eventTopic("ApprovalForAll(address,address,bool)"),
} as const;
