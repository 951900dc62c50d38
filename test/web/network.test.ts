import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toNetwork } from '../../src/web/network.js'

test('An IPv6 client is counted by its /64, however its address is written', () => {
  for (const [network, ...spellings] of [
    ['2001:db8:0:5::/64', '2001:db8:0:5::', '2001:0DB8::5:1:2:3:4', '2001:db8:0:5:ffff:0:0:1'],
    ['2001:db8:0:6::/64', '2001:db8:0:6::1', '2001:db8:0:6:1:2:192.0.2.1'],
    ['0:2:3:4::/64', '::2:3:4:5:6:192.0.2.1', '0:2:3:4::'],
    ['fe80:0:0:0::/64', 'fe80::1', 'fe80::1%eth0', 'fe80::2%3'],
    ['0:0:0:0::/64', '::1', '::'],
  ])
    for (const each of spellings) assert.is(toNetwork(each), network, each)
})

test('An IPv4 client is counted by its address, over IPv6 as well', () => {
  for (const each of ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1'])
    assert.is(toNetwork(each), '192.0.2.1', each)
})

test('What is no address is its own network', () => {
  for (const each of ['', 'unknown', '192.0.2.1:80', '[::1]']) assert.is(toNetwork(each), each)
})

test.run()
