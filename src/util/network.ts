import { BlockList, isIP } from 'node:net';

/** The addresses of these networks (`10.0.0.0/8`, `192.168.1.7`); undefined if one of them is invalid. */
export function networkOf(networks: readonly string[]): BlockList | undefined {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address);
    const most = family === 4 ? 32 : 128;
    if (family === 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)))
      return undefined;
    list.addSubnet(address, Number(bits ?? most), family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
