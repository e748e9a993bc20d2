// The order of test files: those that take long begin, so that all cores end together.
import { BaseSequencer, type TestSpecification } from "vitest/node";

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      moduleId.includes(".long.test.") || moduleId.includes("/test/package/");
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
