// Never gives its thread back: only killing ends it.
export const handler = async () => {
  process.stdout.write('{"slow":"began"}\n');
  for (;;);
};
