export const Faults = ({ subject }: { subject: string }) => <p>{subject}</p>;
