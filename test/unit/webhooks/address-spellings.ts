/** Many spellings of an address in a URL, for the corpus of destinations. */

export const FORBIDDEN_IPV4 = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.170',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.251',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
] as const;

export const PUBLIC_IPV4 = ['8.8.8.8', '1.1.1.1', '93.184.216.34', '172.32.0.1', '100.128.0.1', '169.253.0.1'] as const;

const hex = (n: number, width = 0): string => n.toString(16).padStart(width, '0');
const octets = (ip: string): [number, number, number, number] =>
  ip.split('.').map(Number) as [number, number, number, number];
const whole = (ip: string): number => octets(ip).reduce((sum, octet) => sum * 256 + octet, 0);
const fullWidth = (text: string): string =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const percent = (text: string): string => [...text].map((char) => `%${hex(char.codePointAt(0)!)}`).join('');

/** Browsers and Node read all of them as this address. */
export const ipv4Spellings = (ip: string): string[] => {
  const [a, b, c, d] = octets(ip);
  return [
    ip,
    `${ip}.`,
    String(whole(ip)),
    `0x${hex(whole(ip))}`,
    `0X${hex(whole(ip)).toUpperCase()}`,
    `0${whole(ip).toString(8)}`,
    [a, b, c, d].map((octet) => `0x${hex(octet, 2)}`).join('.'),
    [a, b, c, d].map((octet) => `0${octet.toString(8).padStart(3, '0')}`).join('.'),
    `${a}.${b * 65_536 + c * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `0x${hex(a)}.0${b.toString(8)}.${c * 256 + d}`,
    fullWidth(ip),
    ip.replaceAll('.', '。'),
    percent(ip),
  ];
};

const groups = (ip: string): [string, string] => {
  const [a, b, c, d] = octets(ip);
  return [hex(a * 256 + b), hex(c * 256 + d)];
};

/** IPv6 addresses that embed this IPv4 address: mapped, compatible, translated, tunnelled. */
export const ipv6Holding = (ip: string): string[] => {
  const [high, low] = groups(ip);
  const [notHigh, notLow] = [hex(Number.parseInt(high, 16) ^ 0xffff), hex(Number.parseInt(low, 16) ^ 0xffff)];
  return [
    `::ffff:${ip}`,
    `::ffff:${high}:${low}`,
    `0:0:0:0:0:ffff:${high}:${low}`,
    `::${ip}`,
    `::ffff:0:${ip}`,
    `64:ff9b::${ip}`,
    `64:ff9b:1::${ip}`,
    `2002:${high}:${low}::1`,
    `2001:0:5db8:d822::${notHigh}:${notLow}`,
    `2001:0:${high}:${low}::1`,
  ];
};

/** With a prefix that looks public. */
export const isatapHolding = (ip: string): string[] => {
  const [high, low] = groups(ip);
  return [`2a00:1450:4001:830:0:5efe:${high}:${low}`, `2a00:1450:4001:830:200:5efe:${high}:${low}`];
};

export const FORBIDDEN_IPV6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '::2',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:3::1',
  '2001:4:112::1',
  '2001:10::1',
  '2001:20::1',
  '2001:30::1',
  '2001:db8::1',
  '2620:4f:8000::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  '8000::1',
  'fc00::1',
  'fd00:ec2::254',
  'fdff:ffff::1',
  'fe80::1',
  'FE80::1',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
] as const;

export const PUBLIC_IPV6 = ['2606:4700:4700::1111', '2a00:1450:4001:830::200e', '2800:3f0:4003:c00::71'] as const;
