// Faults on demand: their types, and the set an explorer holds.

export {
  type Effect,
  type Fault,
  FaultError,
  type FaultMatch,
  type FaultPreset,
  faultPresets,
  type Lag,
  type Latency,
  type PresetFault,
  type ReshapeResults,
} from "./fault.ts";
export { type ActiveFault, Faults, type FaultsSnapshot } from "./faults.ts";
