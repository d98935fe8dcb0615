/** A real node of an EVM chain, with a published ERC-20 contract at the address of each token that customers pay with. */
import {mkdtemp} from 'node:fs/promises'
import {createRequire} from 'node:module'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {
  createTestClient,
  http,
  parseAbi,
  publicActions,
  toHex,
  walletActions,
  type Abi,
  type Address,
  type Hex,
} from 'viem'
import {foundry} from 'viem/chains'
import {freePort} from '../system/free-port.js'
import {runServer} from '../system/run-server.js'

export interface Token {
  readonly symbol: string
  readonly contract: Address
  readonly decimals: number
}

const TOKEN = '@aave/core-v3/artifacts/contracts/mocks/tokens/MintableERC20.sol/MintableERC20.json'
export const tokenAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function mint(address, uint256) returns (bool)',
])
/** Its name, symbol, decimals and domain are in the first slots of its storage. */
const SLOTS = 16

export type EvmNode = Awaited<ReturnType<typeof startEvmNode>>

/** @param tools the folder of the packages */
export async function startEvmNode(tools: string, chainId: number) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = await runServer({
    path: anvilIn(tools),
    args: `--port ${port} --chain-id ${chainId}`.split(' '),
    folder: await mkdtemp(join(tmpdir(), 'evm-node-')),
    ready: 'Listening on',
  })
  const client = createTestClient({
    mode: 'anvil',
    chain: {...foundry, id: chainId},
    transport: http(url),
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions)
  const [account] = await client.getAddresses()
  if (!account) throw new Error('the node has no account')
  const {abi, bytecode} = createRequire(join(tools, 'tools.js'))(TOKEN) as {abi: Abi; bytecode: Hex}
  const mined = async (hash: Hex) => client.waitForTransactionReceipt({hash})

  return {
    chainId,
    url,
    client,
    stop: () => server.stop(),
    /** Deploys the token, and moves it to its own address. */
    async place({symbol, contract, decimals}: Token): Promise<void> {
      const args = [symbol, symbol, decimals]
      const {contractAddress} = await mined(await client.deployContract({abi, bytecode, args, account}))
      if (!contractAddress) throw new Error(`${symbol} was not deployed`)
      const bytecodeThere = await client.getCode({address: contractAddress})
      await client.setCode({address: contract, bytecode: bytecodeThere ?? '0x'})
      for (let index = 0; index < SLOTS; index++) {
        const value = await client.getStorageAt({address: contractAddress, slot: toHex(index)})
        await client.setStorageAt({address: contract, index, value: value ?? toHex(0, {size: 32})})
      }
    },
    async mint(contract: Address, to: Address, units: bigint): Promise<void> {
      const call = {
        address: contract,
        abi: tokenAbi,
        functionName: 'mint',
        args: [to, units],
        account,
      } as const
      await mined(await client.writeContract(call))
    },
    /** In base units, of the token or of the chain's own coin. */
    balance(contract: Address | undefined, address: Address): Promise<bigint> {
      if (!contract) return client.getBalance({address})
      return client.readContract({
        address: contract,
        abi: tokenAbi,
        functionName: 'balanceOf',
        args: [address],
      })
    },
    decimals(contract: Address): Promise<number> {
      return client.readContract({address: contract, abi: tokenAbi, functionName: 'decimals'})
    },
  }
}

/** The program itself: its script would not end with its parent. */
function anvilIn(tools: string): string {
  const {arch, platform} = process
  const name = `@foundry-rs/anvil-${platform}-${arch === 'x64' ? 'amd64' : arch}`
  return join(tools, name, 'bin/anvil')
}
