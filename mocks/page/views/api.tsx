export const Api = ({ subject }: { subject: string }) => <p>{subject}</p>;
