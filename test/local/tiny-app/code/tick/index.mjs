export const handler = async (event) => {
  process.stdout.write(`${JSON.stringify({ tick: event.scheduledAt })}\n`);
};
