import { BlockList, isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import type { NetworkInterfaceInfo } from 'node:os'

/** How tablets of the ward can reach this machine. */
export interface SiteHost {
  /**
   * Addresses in the local network, IPv4 first. Without this machine's own loopback and link-local IPv6, which a
   * browser cannot open.
   */
  readonly addresses: readonly string[]
  /** The networks that those addresses are in, such as `192.168.1.0/24`. */
  readonly networks: readonly string[]
  /** The host name and its name by multicast DNS. Empty where the host has no name that a certificate can hold. */
  readonly names: readonly string[]
}

/** Always reachable on the machine itself. */
export const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'] as const
export const LOOPBACK_NAME = 'localhost'

/** Private and shared address space: RFC 1918, 3927, 4193, 6598, and the loopback. */
export const PRIVATE_NETWORKS: readonly string[] = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
  'fc00::/7',
  'fe80::/10',
  '::1/128',
]

/** The names and addresses of this machine now. Addresses change with the network. */
export function thisHost(
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
  name: string = hostname(),
): SiteHost {
  const all = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^fe[89ab]/i.test(address))
    .toSorted((a, b) => a.family.localeCompare(b.family))
  return {
    addresses: [...new Set(all.map(({ address }) => address))],
    networks: [...new Set(all.flatMap(({ cidr }) => (cidr === null ? [] : [networkOf(cidr)])))],
    names: siteNames(name),
  }
}

/** The address that means all addresses of this machine: of both kinds where it has IPv6. */
export function anyAddress(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces()): string {
  return Object.values(interfaces).some((addresses) => addresses?.some(({ family: kind }) => kind === 'IPv6'))
    ? '::'
    : '0.0.0.0'
}

/** The part of an address with its prefix length that names the network: `192.168.1.5/24` → `192.168.1.0/24`. */
export function networkOf(cidr: string): string {
  const [address = '', length = ''] = cidr.split('/')
  const [groups, bits] = isIP(address) === 4 ? [address.split('.').map(Number), 8] : [ipv6Groups(address), 16]
  const masked = groups.map((group, index) => {
    const kept = Math.min(Math.max(Number(length) - index * bits, 0), bits)
    return group & ~(2 ** (bits - kept) - 1)
  })
  const text = bits === 8 ? masked.join('.') : masked.map((group) => group.toString(16)).join(':')
  return `${text}/${length}`
}

/** A test of whether an address lies in one of the networks. */
export function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', length = ''] = network.split('/')
    list.addSubnet(address, Number(length), family(address))
  }
  return (address) => list.check(address, family(address))
}

/** An address as it stands in a URL. */
export function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}

function ipv6Groups(address: string): number[] {
  const [left = '', right] = address.split('::')
  const parse = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const [before, after] = [parse(left), parse(right ?? '')]
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

function siteNames(name: string): readonly string[] {
  const full = name.toLowerCase()
  const isName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/.test(full)
  if (!isName || full === LOOPBACK_NAME || isIP(full) !== 0) return []
  const [short = ''] = full.split('.')
  return [...new Set([short, `${short}.local`, full])].filter(
    (one) => one !== LOOPBACK_NAME && one !== 'localhost.local',
  )
}
