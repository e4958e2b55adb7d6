// Never yields its thread: only a kill ends it.
export const handler = async () => {
  process.stdout.write('{"slow":"began"}\n');
  for (;;);
};
