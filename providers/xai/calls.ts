import { wordIn } from '../../src/wire';
import { builtIn, callFactsOf as openaiCallFactsOf, type CallFacts } from '../openaiResponses/calls';
import type { WireItem } from '../openaiResponses/turn';

/** Tools that only xAI has. Source: `outputItemSchema` of @ai-sdk/xai 5.0.12. */
const OWN_TOOLS: ReadonlySet<string> = new Set([
  'x_search_call',
  'code_execution_call',
  'view_image_call',
  'view_x_video_call',
]);

/** As at OpenAI, but custom tools are xAI's own, and its tools may write their arguments as text. */
export function callFactsOf(item: WireItem): CallFacts | undefined {
  const facts = openaiCallFactsOf(item);
  if (item.type === 'custom_tool_call') return facts && { ...facts, providerExecuted: true };
  const text = item.type === 'function_call' ? undefined : wordIn(item, 'arguments');
  const own = OWN_TOOLS.has(item.type)
    ? builtIn(item, 'id', item.type.slice(0, -'_call'.length), item['action'], true)
    : facts;
  return own && text !== undefined ? { ...own, arguments: text } : own;
}
