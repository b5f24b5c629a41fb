// Queues by class and priority, and the book-keeping of what ran; see the header.
#include "loop/pool_policy.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace rondo {

void ThreadPool::Policy::add(Job* oldest) {
  std::size_t count = 0;
  for (; oldest; count++) {
    Job& job = LockFreeStack<Job>::pop(oldest);
    ClassQueue& queue = queue_of(job);
    queue.jobs[static_cast<int>(job.priority)].push_back(job);
    queue.waiting++;
  }
  waiting_.fetch_add(count, std::memory_order_relaxed);
}

bool ThreadPool::Policy::may_take(int index) const {
  const ClassQueue& queue = classes_[index];
  if (queue.waiting == 0) return false;
  const int limit = size.load(std::memory_order_relaxed);
  return index != static_cast<int>(JobClass::Dns) || queue.running < (limit + 1) / 2;  // P3
}

bool ThreadPool::Policy::has_work_for_regulars() const {
  for (int index = 0; index < kJobClasses; index++) {
    if (may_take(index)) return true;
  }
  return false;
}

// The job has been unlinked: it waits no more.
void ThreadPool::Policy::leave_queue(Job& job) {
  queue_of(job).waiting--;
  waiting_.fetch_sub(1, std::memory_order_relaxed);
}

Job* ThreadPool::Policy::take_from(ClassQueue& queue) {
  for (List<Job>& jobs : queue.jobs) {  // P4
    if (jobs.is_empty()) continue;
    Job& job = jobs.pop_front();
    leave_queue(job);
    queue.running++;
    job.state_ = Job::State::Running;
    return &job;
  }
  return nullptr;
}

// Classes take turns; one with nothing running goes first.
Job* ThreadPool::Policy::take(int helper_class) {
  if (helper_class != kRegular) return take_from(classes_[helper_class]);
  int chosen = -1;
  for (int i = 0; i < kJobClasses; i++) {
    const int index = (next_class_ + i) % kJobClasses;
    if (!may_take(index)) continue;
    if (chosen < 0 || classes_[index].running < classes_[chosen].running) chosen = index;
  }
  if (chosen < 0) return nullptr;
  next_class_ = (chosen + 1) % kJobClasses;
  busy_++;
  return take_from(classes_[chosen]);
}

int ThreadPool::Policy::next_to_be_helped() {
  if (busy_ < size.load(std::memory_order_relaxed)) return -1;
  for (int index = 0; index < kJobClasses; index++) {
    ClassQueue& queue = classes_[index];
    if (queue.waiting > 0 && queue.running == 0 && !std::exchange(queue.has_helper, true)) return index;
  }
  return -1;
}

void ThreadPool::Policy::account(Job& job, int helper_class) {
  const Nanoseconds queued = job.begun_at_ - job.queued_at_;
  const Nanoseconds ran = job.ended_at_ - job.begun_at_;
  ClassQueue& queue = queue_of(job);
  queue.running--;
  if (helper_class == kRegular) busy_--;
  totals_.finished++;
  totals_.queue_time += queued;
  totals_.run_time += ran;
  totals_.longest_queue_time = std::max(totals_.longest_queue_time, queued);
  const Nanoseconds old = queue.average_run.load(std::memory_order_relaxed);
  queue.average_run.store(old + (std::min(ran, kLongJob) - old) / 8, std::memory_order_relaxed);
  was_last_quick_.store(queue.is_quick(), std::memory_order_relaxed);
  job.state_ = Job::State::Finished;
}

bool ThreadPool::Policy::cancel(Job& job) {
  if (job.state_ != Job::State::Queued) return false;
  job.unlink();
  leave_queue(job);
  job.state_ = Job::State::Finished;
  job.error_ = ECANCELED;
  job.begun_at_ = job.ended_at_ = steady_now();
  LockFreeStack<Job>::next(job) = nullptr;
  return true;
}

Job* ThreadPool::Policy::withdraw(const Loop& loop) {
  Job* withdrawn = nullptr;
  for (int index = 0; index < kJobClasses; index++) {
    if (index == static_cast<int>(JobClass::Fs)) continue;
    for (List<Job>& jobs : classes_[index].jobs) {
      List<Job> kept;
      while (!jobs.is_empty()) {
        Job& job = jobs.pop_front();
        if (job.loop_ != &loop) {
          kept.push_back(job);
          continue;
        }
        leave_queue(job);
        job.state_ = Job::State::Finished;
        LockFreeStack<Job>::next(job) = std::exchange(withdrawn, &job);
      }
      jobs.take(kept);
    }
  }
  return withdrawn;
}

Job* ThreadPool::Policy::hold(Job& finished) {
  Job* before = nullptr;
  if (held_ && held_->loop_ != finished.loop_) {
    before = std::exchange(held_, nullptr);
    held_count_ = 0;
  }
  LockFreeStack<Job>::next(finished) = held_;
  held_ = &finished;
  if (held_count_++ == 0) held_since_ = finished.ended_at_;
  return before;
}

Job* ThreadPool::Policy::release_unless_quick(const Job* next, bool has_supervisor) {
  const bool goes_on = next && has_supervisor && held_count_ < kTellTogether && is_quick(next->job_class);
  if (!held_ || (goes_on && held_->ended_at_ - held_since_ < kTellWithin)) return nullptr;
  held_count_ = 0;
  return std::exchange(held_, nullptr);
}

PoolStatistics ThreadPool::Policy::statistics() const {
  PoolStatistics result = totals_;
  for (const ClassQueue& queue : classes_) {
    result.queued += queue.waiting;
    result.running += static_cast<std::uint64_t>(queue.running);
  }
  return result;
}

}  // namespace rondo
