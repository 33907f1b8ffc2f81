import { BlockList, isIPv4 } from 'node:net'
import { addressBucket } from '#kit/address.ts'

const mapped = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i

/** An IPv4 address without the prefix (`::ffff:`) that a dual-stack socket puts before it. */
const plainAddress = (address: string): string => address.replace(mapped, '')

/** What counts as one network: the /24 of an IPv4 address, the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
  return isIPv4(plain) ? `${plain.split('.').slice(0, 3).join('.')}.0/24` : addressBucket(plain)
}

/** Whether an address lies in one of these networks; every address does when there is no list. */
export function allowList(networks: readonly string[] | undefined): (address: string) => boolean {
  if (networks === undefined) return () => true
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const plain = plainAddress(address)
    return list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
  }
}
