// Replaces the signing secret of an endpoint; the answer alone shows the new one.
const { API, KEY, ENDPOINT } = process.env;

const answer = await fetch(`${API}/webhooks/${ENDPOINT}/roll-secret`, {
  method: 'POST',
  headers: { authorization: `Bearer ${KEY}` },
});
if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
const { data } = (await answer.json()) as { data: { secret: string } };
console.log(data.secret);
