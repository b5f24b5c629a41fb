// See external_memory.h.
#include "modules/napi/external_memory.h"

namespace rondo::modules::napi {

class ExternalMemory final : public WTF::SharedTask<void(void*)> {
 public:
  ExternalMemory(napi_env env, const Finalizer& finalizer)
      : env_(env), finalizer_(finalizer), lent_(env->addons.lent_memory()) {
    std::lock_guard lock(lent_->mutex);
    lent_->lent.insert(this);
  }

  // The engine has let go: called on any thread, in the collector, too.
  void run(void*) override {
    std::unique_lock lock(lent_->mutex);
    lent_->lent.erase(this);
    if (!finalizer_.function) return;
    const Finalizer finalizer = std::exchange(finalizer_, {});
    if (lent_->has_ended) return;
    if (std::this_thread::get_id() == lent_->thread) {
      lock.unlock();
      env_->addons.enqueue(env_, finalizer);
      return;
    }
    // If nobody takes it, the Runtime's end has begun, and the memory ends with the process.
    (void)lent_->home.post([env = env_, finalizer] { env->addons.enqueue(env, finalizer); });
  }

  // With the lock held.
  Finalizer take() { return std::exchange(finalizer_, {}); }
  napi_env env() const { return env_; }

 private:
  napi_env env_;
  Finalizer finalizer_;
  std::shared_ptr<LentMemory> lent_;
};

void LentMemory::end() {
  std::vector<std::pair<napi_env, Finalizer>> due;
  {
    std::lock_guard lock(mutex);
    has_ended = true;
    for (auto* memory : lent) due.emplace_back(memory->env(), memory->take());
    lent.clear();
  }
  for (auto& [env, finalizer] : due)
    if (finalizer.function) env->run_finalizer(finalizer);
}

JSC::ArrayBufferDestructorFunction releasing(napi_env env, const Finalizer& finalizer) {
  return adoptRef(*new ExternalMemory(env, finalizer));
}

Ref<JSC::ArrayBuffer> lend(napi_env env, void* data, size_t size, const Finalizer& finalizer) {
  static constexpr char kNothing = 0;  // to the engine a buffer without memory is a detached one
  return JSC::ArrayBuffer::createFromBytes(data ? data : &kNothing, data ? size : 0, releasing(env, finalizer));
}

}  // namespace rondo::modules::napi
