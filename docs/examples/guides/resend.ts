// Sends every failed delivery of an endpoint again.
interface Delivery {
  id: string;
  status: string;
}

const { API, KEY, ENDPOINT } = process.env;

const call = async (method: string, path: string): Promise<Response> => {
  const answer = await fetch(`${API}/webhooks/${ENDPOINT}/deliveries${path}`, {
    method,
    headers: { authorization: `Bearer ${KEY}` },
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer;
};

const { data } = (await (await call('GET', '?limit=200')).json()) as { data: Delivery[] };
for (const { id, status } of data) {
  if (status !== 'failed') continue;
  await call('POST', `/${id}/resend`);
  console.log('resent', id);
}
