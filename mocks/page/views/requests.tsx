export const Requests = ({ subject }: { subject: string }) => <p>{subject}</p>;
