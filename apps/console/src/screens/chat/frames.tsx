import { type ReactNode, useEffect, useRef } from 'react';
import type { Frame } from '@switchyard/client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { X } from 'lucide-react';
import { Button } from '../../ui/button';

const nameOf = ({ method, params }: Frame): string => {
  const event = params.data['event'];
  return typeof event === 'string' ? `${method} · ${event}` : method;
};

/** Every frame as it travelled: the numbers have no gap, however often the connection broke. */
export function Frames({ frames, onClose }: { frames: readonly Frame[]; onClose: () => void }): ReactNode {
  const container = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: frames.length,
    getScrollElement: () => container.current,
    estimateSize: () => 56,
    overscan: 20,
  });
  const count = frames.length;
  useEffect(() => {
    const box = container.current;
    if (box && box.scrollHeight - box.scrollTop - box.clientHeight < 240) box.scrollTop = box.scrollHeight;
  }, [count]);
  return (
    <aside
      aria-label="Raw frames"
      className="flex w-96 shrink-0 flex-col border-l border-line bg-surface max-lg:fixed max-lg:inset-y-0 max-lg:right-0 max-lg:z-30 max-lg:w-[min(24rem,100vw)] max-lg:shadow-high"
    >
      <div className="flex items-center gap-2 border-b border-line px-4 py-2">
        <h2 className="flex-1 font-semibold">Frames</h2>
        <span className="text-sm text-faint">{count}</span>
        <Button look="ghost" size="small" aria-label="Close frames" icon={<X className="size-4" />} onClick={onClose} />
      </div>
      <div
        ref={container}
        role="log"
        aria-label="Frames"
        aria-live="off"
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto font-mono text-xs"
      >
        {count === 0 && (
          <p className="p-4 font-sans text-base text-faint">
            Frames of the running turn appear here with their numbers.
          </p>
        )}
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const frame = frames[index];
            if (!frame) return null;
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="absolute inset-x-0 border-b border-line px-4 py-2"
                style={{ transform: `translateY(${start}px)` }}
              >
                <div className="flex gap-2">
                  <span className="text-accent">{frame.seq}</span>
                  <span className="min-w-0 flex-1 truncate text-soft">{nameOf(frame)}</span>
                </div>
                <div className="line-clamp-3 break-all text-faint">{JSON.stringify(frame.params.data)}</div>
              </div>
            );
          })}
        </div>
      </div>
    </aside>
  );
}
