/** The reference in the same language: aedes with default settings. A child of bench/ingest.ts. */
import { createServer, type AddressInfo } from 'node:net'
import { Aedes } from 'aedes'

const broker = await Aedes.createBroker()
const server = createServer(broker.handle)
server.listen(0, '127.0.0.1', () => {
  process.send?.({ type: 'listening', port: (server.address() as AddressInfo).port })
})
process.on('disconnect', () => process.exit(0))
